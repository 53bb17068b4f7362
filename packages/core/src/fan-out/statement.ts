import type { DialectName, Statement } from '../executor.ts'
import type { Value } from './compare.ts'
import type { Kind } from './kind.ts'
import type { Key, OrderTerm } from './order.ts'
import { spellingOf } from './spelling.ts'

/** Which of the ordered rows a shard is asked for. */
export interface Page {
  readonly terms: readonly OrderTerm[]
  /** The order values of the row before the first; null to begin at the start. */
  readonly after: Key | null
  /**
   * Where nulls of the first column come last, those after a value are a part of their own: an engine has no
   * index for both.
   */
  readonly part: 'all' | 'values' | 'nulls'
  readonly maxRows: number
}

/** The part with which the rows after a key begin. */
export function firstPart(terms: readonly OrderTerm[], after: Key | null): Page['part'] {
  return after !== null && after[0] !== null && terms[0]?.nulls === 'last' ? 'values' : 'all'
}

/** The kinds of columns on one engine, by name. */
export type Kinds = ReadonlyMap<string, Kind>

/** The caller's statement under this name inside the one that is sent. */
export const ROWS = 'shard_rows'

/** The column that says of which types the others are; absent where values carry their types. */
export const TYPES = 'shard_rows.types'

/** The column that stands beside one that rows are ordered by. */
export function besideName(i: number): string {
  return `shard_rows.beside.${i}`
}

/** A column of the caller's statement. */
export function columnOf(dialect: DialectName, column: string): string {
  return `${ROWS}.${spellingOf(dialect).quote(column)}`
}

/** The statement with a shard's part of the order and limit around it. */
export function pageStatement(
  statement: Statement,
  dialect: DialectName,
  page: Page,
  kinds: Kinds,
): Statement {
  const { order } = spellingOf(dialect)
  const orders = page.terms.map((term) => {
    const column = columnOf(dialect, term.column)
    return order(kindIn(kinds, term.column).key(column), term, column)
  })
  const orderBy = orders.length === 0 ? '' : ` order by ${orders.join(', ')}`
  const where = whereOf(statement, dialect, page, kinds)
  const beside = besideColumns(dialect, page.terms, kinds)
  const list = beside.length === 0 ? '*' : [`${ROWS}.*`, ...beside].join(', ')
  return {
    sql: `select ${list} from (${statement.sql}\n) as ${ROWS}${where.sql}${orderBy} limit ${page.maxRows}`,
    parameters: [...statement.parameters, ...where.parameters],
  }
}

/** What a row must say beside the caller's columns. */
function besideColumns(dialect: DialectName, terms: readonly OrderTerm[], kinds: Kinds): string[] {
  const { quote, types } = spellingOf(dialect)
  const columns = terms.map(({ column }) => columnOf(dialect, column))
  const beside = terms.flatMap(({ column }, i) => {
    const expression = kindIn(kinds, column).beside?.(columns[i] as string)
    return expression === undefined ? [] : [`${expression} as ${quote(besideName(i))}`]
  })
  const typed = types !== null && columns.length > 0 ? [`${types(columns)} as ${quote(TYPES)}`] : []
  return [...beside, ...typed]
}

/** The kind of a column that was asked for. */
export function kindIn(kinds: Kinds, column: string): Kind {
  return kinds.get(column) as Kind
}

function whereOf(statement: Statement, dialect: DialectName, page: Page, kinds: Kinds): Statement {
  const first = page.terms[0]?.column ?? ''
  if (page.part === 'nulls') return { sql: ` where ${columnOf(dialect, first)} is null`, parameters: [] }
  if (page.after === null) return { sql: '', parameters: [] }
  return new Keyset(statement, dialect, page, kinds).where(page.after)
}

/** What is not before the value of the first column: an engine finds its index in it. */
const reaches = { asc: '>=', desc: '<=' } as const

/**
 * A condition for the rows after a given one: those that are after it by the first column, or equal to it
 * there and after it by the second, and so on.
 */
class Keyset {
  readonly #dialect: DialectName
  readonly #page: Page
  readonly #kinds: Kinds
  readonly #position: number
  readonly #parameters: unknown[] = []

  constructor(statement: Statement, dialect: DialectName, page: Page, kinds: Kinds) {
    this.#dialect = dialect
    this.#page = page
    this.#kinds = kinds
    this.#position = statement.parameters.length
  }

  where(after: Key): Statement {
    const { terms } = this.#page
    const [first, value] = [terms[0] as OrderTerm, after[0] ?? null]
    const isRange = terms.length > 1 && value !== null && !this.#hasNulls(first, 0)
    const range = isRange ? `${this.#compare(first, reaches[first.direction], value)} and ` : ''
    const arms = terms.map((term, i) => {
      const before = terms.slice(0, i).map((earlier, j) => this.#equal(earlier, after[j] ?? null))
      return [...before, this.#beyond(term, i, after[i] ?? null)].join(' and ')
    })
    return { sql: ` where ${range}((${arms.join(') or (')}))`, parameters: this.#parameters }
  }

  #compare(term: OrderTerm, operator: string, value: Value): string {
    const kind = kindIn(this.#kinds, term.column)
    const operand = kind.operand(value)
    this.#parameters.push(operand.value)
    const { placeholder } = spellingOf(this.#dialect)
    const right = operand.sql(placeholder(this.#position + this.#parameters.length))
    return `${(kind.compared ?? kind.key)(columnOf(this.#dialect, term.column))} ${operator} ${right}`
  }

  #equal(term: OrderTerm, value: Value | null): string {
    return value === null ? this.#isNull(term) : this.#compare(term, '=', value)
  }

  #beyond(term: OrderTerm, i: number, value: Value | null): string {
    if (value === null) return term.nulls === 'first' ? `not (${this.#isNull(term)})` : '1 = 0'
    const farther = this.#compare(term, term.direction === 'asc' ? '>' : '<', value)
    return this.#hasNulls(term, i) ? `(${farther} or ${this.#isNull(term)})` : farther
  }

  /** Do nulls come after a value, and belong to this part? */
  #hasNulls({ nulls }: OrderTerm, i: number): boolean {
    return nulls === 'last' && (i > 0 || this.#page.part === 'all')
  }

  #isNull(term: OrderTerm): string {
    return `${columnOf(this.#dialect, term.column)} is null`
  }
}
