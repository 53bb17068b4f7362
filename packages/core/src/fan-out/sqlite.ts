import { bareText } from '../sql-text.ts'
import { unordered, type Value } from './compare.ts'
import { compareDecimals, decimalOf } from './decimal.ts'
import { inexact, type Kind, kindOf, type Operand, plain } from './kind.ts'
import type { Spelling } from './spelling.ts'

// On a value that is not text the collation has no effect.
const collate = (expression: string): string => `${expression} collate binary`

/** Any value: each has a type of its own. */
const value: Kind = kindOf({ key: collate, operand, read })

/**
 * SQLite converts what a column is compared with to the column's affinity, but not the column's own value.
 * Where that is not of its affinity, as in another schema than the value is from, the comparison would leave
 * rows out. https://www.sqlite.org/datatype3.html#type_conversions_prior_to_comparison
 */
const any: Kind = {
  ...value,
  proof: (statement, column, operand) => {
    const isText = typeof operand === 'string'
    // Other text is never taken for a number.
    if (operand instanceof Uint8Array || (isText && !/^\s*[+-]?\.?\d/.test(operand))) return null
    const alike = isText
      ? `typeof(${column}) = 'text' and ${column} <> '' and ${column} not glob '*[^0-9]*'`
      : `typeof(${column}) in ('integer', 'real')`
    const sql = `${alike} and ${column} = +${column} and ${ONE_AFFINITY}`
    return COMPOUND.test(bareText(statement, 'sqlite'))
      ? { sql: '0', parameters: [] }
      : { sql, parameters: [statement, statement] }
  },
  // Without its affinity, and so without its index.
  unproven: { ...value, compared: (column) => collate(`(+${column})`) },
}

/** A column of a compound SELECT may have an affinity for each part. */
const COMPOUND = /\b(?:union|intersect|except)\b/i

const viewIn = (schema: string, condition: string): string =>
  `exists (select 1 from ${schema} where type = 'view' and (${condition}))`
const view = (condition: string): string =>
  `(${viewIn('sqlite_master', condition)} or ${viewIn('sqlite_temp_master', condition)})`
const named = "instr(lower(?), lower(name)) or name glob '*[\"`]*'"
const compound = "sql like '%union%' or sql like '%intersect%' or sql like '%except%'"

/** No compound is hidden behind a view that the statement may name; it takes the statement's text twice. */
const ONE_AFFINITY = `not (${view(named)} and ${view(compound)})`

function read(value: unknown): Value {
  const isValue = ['string', 'number', 'bigint', 'boolean'].includes(typeof value)
  if (isValue || value instanceof Uint8Array) return value as Value
  throw unordered(value)
}

/** There are no decimals here: one from another engine must be a double or an integer. */
function operand(value: Value): Operand {
  if (typeof value !== 'object' || value instanceof Uint8Array) return plain(value)
  const number = value.scale === 0 ? value.unscaled : Number(`${value.unscaled}e-${value.scale}`)
  if (compareDecimals(decimalOf(number), value) !== 0) throw inexact(value, 'REAL')
  return plain(number)
}

export const sqlite: Spelling = {
  quote: (column) => `"${column.replaceAll('"', '""')}"`,
  placeholder: () => '?',
  order: (key, { direction, nulls }) => `${key} ${direction} nulls ${nulls}`,
  types: null,
  kinds: (_, said) => said.map(() => any),
}
