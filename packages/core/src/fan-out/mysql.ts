import { type Numeric, unordered } from './compare.ts'
import { decimalOf, decimalText, shortest } from './decimal.ts'
import {
  bytesOperand,
  cast,
  inexact,
  type Kind,
  kindOf,
  numberOperand,
  type Operand,
  plain,
  readNumber,
  readText,
  textOperand,
} from './kind.ts'
import type { Spelling } from './spelling.ts'

/** UTF-8 bytes, whatever the column's character set and collation. */
const bytesOf = (expression: string): string => `cast(convert(${expression} using utf8mb4) as binary)`

/** The driver reads JSON as what it says: that a text is as long as the column's tells them apart. */
const text: Kind = kindOf({
  key: bytesOf,
  operand: textOperand('text', (value) => cast(value, bytesOf('?'))),
  beside: (column) => `char_length(${column})`,
  read: (value, length) => {
    const read = readText(value)
    const isWhole = [undefined, read.length].includes(countOf(length)) || [...read].length === countOf(length)
    if (isWhole) return read
    throw unordered(value)
  },
  extreme: (fn, column) => `convert(${fn}(${bytesOf(column)}) using utf8mb4)`,
  member: (column) => `convert(min(${bytesOf(column)}) using utf8mb4)`,
})

/** FLOAT is printed with six digits: as a double it has all. */
const number: Kind = kindOf({
  operand: numberOperand('a number', numberOf),
  beside: (column) => `${column} + 0e0`,
  read: (value, double) => readNumber(typeof value === 'number' ? Number(double ?? value) : value),
})

/** A comparison with BIT reads bytes as the text of a number, so that it does not equal its own. */
const bytes: Kind = kindOf({
  operand: bytesOperand('bytes'),
  beside: (column) => `${column} = cast(${column} as binary)`,
  read: (value, isAlike) => {
    if (value instanceof Uint8Array && countOf(isAlike) !== 0) return value
    if (typeof value === 'bigint') return value
    throw unordered(value)
  },
})

function countOf(beside: unknown): number | undefined {
  return beside === undefined ? undefined : Number(beside)
}

/** DECIMAL has up to 65 digits, 30 of them after the point; a double is compared with one as a double. */
function numberOf(value: Numeric): Operand {
  if (typeof value === 'bigint' || typeof value === 'boolean' || Number.isSafeInteger(value))
    return plain(value)
  if (typeof value === 'number' && !Number.isFinite(value)) throw inexact(value, 'a number')
  const decimal = shortest(decimalOf(value))
  const digits = decimalText(decimal)
  const fits = decimal.scale <= 30 && digits.replace(/\D/g, '').length <= 65
  if (fits) return cast(digits, `cast(? as decimal(65, ${decimal.scale}))`)
  if (typeof value === 'number') return plain(value)
  throw inexact(value, 'DECIMAL')
}

/** The engine sorts by as many bytes, less a few for the length. */
const SORT_SUFFIX = 4

export const mysql: Spelling = {
  quote: (column) => `\`${column.replaceAll('`', '``')}\``,
  placeholder: () => '?',
  order: (key, { direction, nulls }, column) => {
    const isPlain = (direction === 'asc') === (nulls === 'first')
    const placed = isPlain ? '' : `${column} is null ${nulls === 'first' ? 'desc' : 'asc'}, `
    return `${placed}${key} ${direction}`
  },
  // Of bytes, numbers and dates, all of which are binary, the last two have a coercibility of their own.
  types: (columns) => {
    const names = columns.map((column) => `collation(${column}), coercibility(${column})`)
    return `concat_ws(' ', @@max_sort_length, ${names.join(', ')})`
  },
  comparesAll: true,
  kinds: (types, said) => {
    const [longest, ...names] = types.split(' ')
    const sortedBytes = Number(longest) - SORT_SUFFIX
    return said.map((_, i) => {
      const [collation, coercibility] = names.slice(2 * i)
      if (collation !== 'binary') return { ...text, sortedBytes }
      return coercibility === '5' ? number : { ...bytes, sortedBytes }
    })
  },
}
