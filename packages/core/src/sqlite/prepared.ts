import { IntegerOutOfRangeError } from '../driver-errors.ts'
import type { Outcome } from '../errors.ts'
import type { Result, Statement } from '../executor.ts'
import type { SqliteDatabase, SqliteStatement } from './database.ts'

/** How many prepared statements a connection keeps; the least recently used goes first. */
const MAX_PREPARED = 256

/** A column of a result; `type` is as declared, null for a computed value. */
export interface Column {
  readonly name: string
  readonly type: string | null
}

type Reading = (name: string, value: bigint | number, outcome: Outcome) => unknown

/** How a statement's rows are read: its columns, and those whose integers do not stay bigint. */
interface Plan {
  readonly names: readonly string[]
  readonly narrow: readonly (readonly [name: string, read: Reading])[]
}

interface Prepared {
  readonly statement: SqliteStatement
  plan: Plan
}

/** Prepares, reuses and runs statements on one connection, with every integer read exactly. */
export class PreparedStatements {
  readonly #database: SqliteDatabase
  readonly #kept = new Map<string, Prepared>()
  #temporary = 0

  constructor(database: SqliteDatabase) {
    this.#database = database
  }

  /** Runs one statement to its end; integers are read by `columns` if given, else by its own. */
  run<Row>({ sql, parameters }: Statement, columns?: readonly Column[]): Result<Row> {
    const prepared = this.#prepare(sql)
    const { statement } = prepared
    const bound = parameters.map(bind)
    if (!statement.reader) return { rows: [], affectedRows: BigInt(statement.run(...bound).changes) }
    const rows = statement.all(...bound) as Record<string, unknown>[]
    const first = rows[0]
    // SQLite prepares again by itself after a schema change; the columns may be others then.
    if (first && !fits(prepared.plan, first)) prepared.plan = planOf(statement.columns())
    readIntegers(rows, columns ? planOf(columns) : prepared.plan, this.#outcomeAfter(statement))
    return { rows: rows as Row[], affectedRows: statement.readonly ? 0n : BigInt(rows.length) }
  }

  /** What a statement would give, without running it. */
  describe(sql: string): { readonly: boolean; columns: readonly Column[] } {
    const { statement } = this.#prepare(sql)
    return { readonly: statement.readonly, columns: statement.reader ? statement.columns() : [] }
  }

  /** A name for a temporary table that nothing else on this connection has. */
  temporaryName(): string {
    return `shard_temp_${++this.#temporary}`
  }

  /** Was it applied, if its rows then cannot be read? In a transaction that is still to be seen. */
  #outcomeAfter({ readonly }: SqliteStatement): Outcome {
    if (readonly) return 'not-applied'
    return this.#database.inTransaction ? 'unknown' : 'applied'
  }

  #prepare(sql: string): Prepared {
    const kept = this.#kept.get(sql)
    if (kept) {
      this.#kept.delete(sql)
      this.#kept.set(sql, kept)
      return kept
    }
    const statement = this.#database.prepare(sql)
    statement.safeIntegers(true)
    const prepared = { statement, plan: planOf(statement.reader ? statement.columns() : []) }
    this.#kept.set(sql, prepared)
    if (this.#kept.size > MAX_PREPARED) this.#kept.delete(this.#kept.keys().next().value as string)
    return prepared
  }
}

/** Of two columns that are named alike, a row has the last. */
function planOf(columns: readonly Column[]): Plan {
  const types = new Map(columns.map(({ name, type }) => [name, type]))
  const narrow = [...types].flatMap(([name, type]) => {
    const read = readingOf(type)
    return read ? [[name, read] as const] : []
  })
  return { names: [...types.keys()], narrow }
}

function fits({ names }: Plan, row: Record<string, unknown>): boolean {
  return names.length === Object.keys(row).length && names.every((name) => Object.hasOwn(row, name))
}

/** The reading of a declared type; null where integers stay bigint (BIGINT, and computed values). */
function readingOf(type: string | null): Reading | null {
  if (type === null || /^\s*(big\s*int|int8|unsigned\s+big\s*int)/i.test(type)) return null
  return /^\s*(numeric|decimal)/i.test(type) ? (_, value) => String(value) : toNumber
}

function toNumber(name: string, value: bigint | number, outcome: Outcome): number {
  const number = Number(value)
  if (typeof value === 'number' || Number.isSafeInteger(number)) return number
  throw new IntegerOutOfRangeError(name, value, outcome)
}

function readIntegers(rows: readonly Record<string, unknown>[], { narrow }: Plan, outcome: Outcome): void {
  for (const [name, read] of narrow) {
    for (const row of rows) {
      const value = row[name]
      if (typeof value === 'bigint' || typeof value === 'number') row[name] = read(name, value, outcome)
    }
  }
}

/** Whole numbers are bound as integers, which the driver does only up to 32 bits; it has no booleans. */
function bind(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value
}
