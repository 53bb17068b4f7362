import type { ColumnType, Numeric } from './compare.ts'
import { compareDecimals, type Decimal, decimalOf, shortest } from './decimal.ts'
import {
  bytesOperand,
  cast,
  inexact,
  type Kind,
  kindOf,
  numberOperand,
  numberText,
  plain,
  readBytes,
  readNumber,
  readText,
  textOperand,
} from './kind.ts'
import type { Spelling } from './spelling.ts'

const binary = (column: string): string => `${column} collate "C"`

const textKind = (type: string, parts: Partial<Kind> = {}): Kind => {
  const kind = kindOf({ key: binary, operand: textOperand(type), read: readText, ...parts })
  return { ...kind, member: (column) => kind.extreme('min', column) }
}

const text = textKind('text')
const name = textKind('name', { key: (column) => binary(`cast(${column} as text)`) })
/** Blanks at the end are no part of a value: the engine ignores them, the row has them. */
const character = textKind('character', {
  read: (value) => readText(value).replace(/ +$/, ''),
  operand: textOperand('character', (value) => cast(value, 'cast(? as bpchar)')),
})
/** Sorts by its bytes, as its text does. */
const uuid = textKind('uuid', {
  key: (column) => column,
  operand: textOperand('uuid', (value) => cast(value, 'cast(? as uuid)')),
  extreme: (fn, column) => `${fn}(${binary(`cast(${column} as text)`)})`,
})
/** What the caller calls text, such as a domain or an enumeration: as it is printed. */
const printed = textKind('text', {
  key: (column) => binary(`(case when ${column} is not null then concat(${column}) end)`),
})

const number = (type: string, operand: (value: Numeric) => ReturnType<typeof plain>): Kind =>
  kindOf({ read: readNumber, operand: numberOperand(type, operand) })

const numeric = number('numeric', (value) => cast(numberText(value), 'cast(? as numeric)'))
const integer = number('bigint', (value) => {
  const whole = int64Of(value)
  return whole === null ? numeric.operand(value) : cast(whole, 'cast(? as bigint)')
})
const double = number('double precision', (value) => {
  const float = Number(numberText(value))
  if (!isExactly(float, value)) throw inexact(value, 'double precision')
  return cast(String(float), 'cast(? as double precision)')
})
const real = number('real', (value) => {
  const float = Number(numberText(value))
  const short = [6, 7, 8, 9].map((digits) => Number(Math.fround(float).toPrecision(digits)))
  if (!isExactly(float, value) || !short.some((read) => Object.is(read, float))) throw inexact(value, 'real')
  return cast(String(float), 'cast(? as real)')
})
const boolean = kindOf({
  read: (value) => (typeof value === 'boolean' ? value : readNumber(value)),
  operand: numberOperand('boolean', (value) => {
    const bit = numberText(value)
    if (bit !== '0' && bit !== '1') throw inexact(value, 'boolean')
    return plain(bit === '1')
  }),
})
const bytea = kindOf({ read: readBytes, operand: bytesOperand('bytea') })
/** What the caller calls no text, such as a domain over a number: nothing but numbers has a sign. */
const signed: Kind = kindOf({
  read: readNumber,
  key: (column) => `(+ ${column})`,
  member: (column) => `(+ ${column})`,
  operand: numberOperand('a number', (value) => plain(numberText(value))),
})

/** The whole number in 64 bits that a value is; null if it is none. */
function int64Of(value: Numeric): bigint | null {
  const number = Number(value)
  if (typeof value !== 'object' && !Number.isFinite(number)) return null
  const { unscaled, scale } = shortest(decimalOf(typeof value === 'boolean' ? number : value))
  return scale === 0 && BigInt.asIntN(64, unscaled) === unscaled ? unscaled : null
}

function isExactly(float: number, value: Numeric): boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return true
  return Number.isFinite(float) && compareDecimals(decimalOf(float), decimalOf(value as Decimal)) === 0
}

const kinds: ReadonlyMap<string, Kind> = new Map([
  ['text', text],
  ['character varying', text],
  ['character', character],
  ['name', name],
  ['uuid', uuid],
  ['smallint', integer],
  ['integer', integer],
  ['bigint', integer],
  ['oid', integer],
  ['numeric', numeric],
  ['real', real],
  ['double precision', double],
  ['boolean', boolean],
  ['bytea', bytea],
])

const called: Record<ColumnType, Kind> = { text: printed, other: signed }
const between = ' | '

export const postgres: Spelling = {
  quote: (column) => `"${column.replaceAll('"', '""')}"`,
  placeholder: (position) => `$${position}`,
  order: (key, { direction, nulls }) => `${key} ${direction} nulls ${nulls}`,
  types: (columns) => {
    const names = columns.map((column) => `cast(pg_typeof(${column}) as text)`)
    return `concat_ws('${between}', ${names.join(', ')})`
  },
  kinds: (types, said) => {
    const names = types.split(between)
    if (names.length !== said.length) return said.map(() => null)
    return said.map((type, i) => kinds.get(names[i] ?? '') ?? (type && called[type]))
  },
}
