import type { Outcome } from '../errors.ts'
import type { Result, Statement } from '../executor.ts'
import type { SqliteDatabase, SqliteStatement } from './database.ts'
import { narrowInteger, staysBigint } from './integers.ts'
import { mayAlter, SchemaWatch } from './schema-watch.ts'

/** A connection keeps at least so many prepared statements, those used last, and at most twice as many. */
const KEEP_PREPARED = 128

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
  readonly reader: boolean
  readonly readonly: boolean
  readonly mayAlter: boolean
  plan: Plan
  /** The schema's generation that the plan was made in. */
  generation: number
}

/** Prepares, reuses and runs statements on one connection, with every integer read exactly. */
export class PreparedStatements {
  readonly #database: SqliteDatabase
  readonly #schema: SchemaWatch
  /** What was used lately, and what was used before that: to look a statement up costs one reading. */
  #recent = new Map<string, Prepared>()
  #older = new Map<string, Prepared>()
  #temporary = 0

  constructor(database: SqliteDatabase) {
    this.#database = database
    this.#schema = new SchemaWatch(database)
  }

  /** Runs one statement to its end; integers are read by `columns` if given, else by its own. */
  run<Row>({ sql, parameters }: Statement, columns?: readonly Column[]): Result<Row> {
    const prepared = this.#prepare(sql)
    const { statement } = prepared
    const bound = isBound(parameters) ? parameters : parameters.map(bind)
    if (!prepared.reader) {
      const { changes } = statement.run(...bound)
      if (prepared.mayAlter) this.#schema.changed()
      return { rows: [], affectedRows: BigInt(changes) }
    }
    const rows = statement.all(...bound) as Record<string, unknown>[]
    if (prepared.mayAlter) this.#schema.changed()
    const first = rows[0]
    if (first) {
      this.#plan(prepared, first)
      readIntegers(rows, columns ? planOf(columns) : prepared.plan, this.#outcomeAfter(prepared))
    }
    return { rows: rows as Row[], affectedRows: prepared.readonly ? 0n : BigInt(rows.length) }
  }

  /** SQLite prepares again by itself after a schema change; the columns, or their types, may be others then. */
  #plan(prepared: Prepared, row: Record<string, unknown>): void {
    const generation = this.#schema.generation()
    if (prepared.generation === generation && fits(prepared.plan, row)) return
    prepared.plan = planOf(prepared.statement.columns())
    prepared.generation = generation
  }

  /** What a statement would give, without running it: by the schema as it was when a statement last ran. */
  describe(sql: string): { readonly: boolean; columns: readonly Column[] } {
    const statement = this.#database.prepare(sql)
    return { readonly: statement.readonly, columns: statement.reader ? statement.columns() : [] }
  }

  /** A name for a temporary table that nothing else on this connection has. */
  temporaryName(): string {
    return `shard_temp_${++this.#temporary}`
  }

  /** Was it applied, if its rows then cannot be read? In a transaction that is still to be seen. */
  #outcomeAfter({ readonly }: Prepared): Outcome {
    if (readonly) return 'not-applied'
    return this.#database.inTransaction ? 'unknown' : 'applied'
  }

  #prepare(sql: string): Prepared {
    const recent = this.#recent.get(sql)
    if (recent) return recent
    const prepared = this.#older.get(sql) ?? this.#new(sql)
    if (this.#recent.size >= KEEP_PREPARED) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(sql, prepared)
    return prepared
  }

  #new(sql: string): Prepared {
    const statement = this.#database.prepare(sql)
    statement.safeIntegers(true)
    const { reader, readonly } = statement
    const plan = planOf(reader ? statement.columns() : [])
    return { statement, reader, readonly, mayAlter: mayAlter(sql, statement), plan, generation: -1 }
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
  let i = 0
  for (const name in row) if (name !== names[i++]) return reordered(names, row)
  return i === names.length
}

/** Names that are numbers come first in a row, wherever their columns stand. */
function reordered(names: readonly string[], row: Record<string, unknown>): boolean {
  return names.length === Object.keys(row).length && names.every((name) => Object.hasOwn(row, name))
}

/**
 * The reading of a declared type; null where integers stay bigint (BIGINT, and computed values). NUMERIC is
 * read as a number too: the engine keeps it as an integer or a double, never as a decimal.
 */
function readingOf(type: string | null): Reading | null {
  return staysBigint(type) ? null : narrowInteger
}

function readIntegers(rows: readonly Record<string, unknown>[], { narrow }: Plan, outcome: Outcome): void {
  for (const [name, read] of narrow) {
    for (const row of rows) {
      const value = row[name]
      if (typeof value === 'bigint' || typeof value === 'number') row[name] = read(name, value, outcome)
    }
  }
}

/** Most parameters are bound as they are. */
function isBound(parameters: readonly unknown[]): boolean {
  for (let i = 0; i < parameters.length; i++) {
    const type = typeof parameters[i]
    if (type === 'number' || type === 'boolean') return false
  }
  return true
}

/** Whole numbers are bound as integers, which the driver does only up to 32 bits; it has no booleans. */
function bind(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value
}
