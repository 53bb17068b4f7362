import type { DialectName, Statement } from '../executor.ts'
import type { TypeOf } from './column-types.ts'
import type { OrderTerm } from './order.ts'
import { spellingOf } from './spelling.ts'

/** Which of the ordered rows a shard is asked for. */
export interface Page {
  readonly terms: readonly OrderTerm[]
  /** The order values of the row before the first; null to begin at the start. */
  readonly after: readonly unknown[] | null
  readonly maxRows: number
}

/** The caller's statement under this name inside the one that is sent. */
export const ROWS = 'shard_rows'

/** The statement with a shard's part of the order and limit around it. */
export function pageStatement(
  statement: Statement,
  dialect: DialectName,
  page: Page,
  typeOf: TypeOf,
): Statement {
  const { quote, order } = spellingOf(dialect)
  const orders = page.terms.map((term) =>
    order(`${ROWS}.${quote(term.column)}`, term, typeOf.get(term.column) ?? 'text'),
  )
  const orderBy = orders.length === 0 ? '' : ` order by ${orders.join(', ')}`
  const where =
    page.after === null
      ? { sql: '', parameters: [] }
      : keyset(statement, dialect, page.terms, page.after, typeOf)
  return {
    sql: `select * from (${statement.sql}\n) as ${ROWS}${where.sql}${orderBy} limit ${page.maxRows}`,
    parameters: [...statement.parameters, ...where.parameters],
  }
}

/**
 * A condition for the rows after a given one: those that are after it by the first column, or equal to it
 * there and after it by the second, and so on.
 */
function keyset(
  statement: Statement,
  dialect: DialectName,
  terms: readonly OrderTerm[],
  after: readonly unknown[],
  typeOf: TypeOf,
): Statement {
  const spelling = spellingOf(dialect)
  const parameters: unknown[] = []
  const compare = (term: OrderTerm, operator: string, value: unknown): string => {
    parameters.push(value)
    const placeholder = spelling.placeholder(statement.parameters.length + parameters.length)
    const column = `${ROWS}.${spelling.quote(term.column)}`
    const type = typeOf.get(term.column) ?? 'text'
    return `${spelling.key(column, type)} ${operator} ${spelling.value(placeholder, type, value)}`
  }
  const isNull = (term: OrderTerm): string => `${ROWS}.${spelling.quote(term.column)} is null`

  const equal = (term: OrderTerm, value: unknown): string =>
    value === null ? isNull(term) : compare(term, '=', value)
  const beyond = (term: OrderTerm, value: unknown): string => {
    if (value === null) return term.nulls === 'first' ? `not (${isNull(term)})` : '1 = 0'
    const farther = compare(term, term.direction === 'asc' ? '>' : '<', value)
    return term.nulls === 'last' ? `(${farther} or ${isNull(term)})` : farther
  }
  const arms = terms.map((term, i) => {
    const before = terms.slice(0, i).map((earlier, j) => equal(earlier, after[j]))
    return [...before, beyond(term, after[i])].join(' and ')
  })
  return { sql: ` where (${arms.join(') or (')})`, parameters }
}
