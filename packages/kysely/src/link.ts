import {
  type DialectName,
  InvalidArgumentError,
  type Outcome,
  type Result,
  type Statement,
} from '@shard/core'
import { bareText } from '@shard/core/adapter'
import { CompiledQuery, type Kysely } from 'kysely'
import { type ColumnReading, type ColumnsOf, readColumns, readNarrow } from './column-reading.ts'
import type { Engine } from './engine.ts'
import { engines } from './engines.ts'
import { PAGE_ROWS } from './paging.ts'

// biome-ignore lint/suspicious/noExplicitAny: raw statements run on a Kysely of any tables
export type AnyKysely = Kysely<any>

/** Where a statement runs, and what is known of its outcome when the link breaks. */
export interface Lane {
  readonly db: AnyKysely
  readonly insideTransaction: boolean
  readonly lost: Outcome
}

type Row = Record<string, unknown>

/** Runs statements through a Kysely: parameters in, rows and errors out, as the executor promises them. */
export class Link {
  readonly dialect: DialectName
  readonly engine: Engine
  readonly #columns: ColumnsOf | null
  readonly #isNarrow: boolean
  #kept = 0

  constructor(dialect: DialectName, columns: ColumnsOf | null, isNarrow: boolean) {
    this.dialect = dialect
    this.engine = engines[dialect]
    this.#columns = columns
    this.#isNarrow = isNarrow
  }

  /** Runs one statement to its end. */
  async run<T>(lane: Lane, statement: Statement): Promise<Result<T>> {
    const query = this.#compile(lane, statement)
    const columns = await this.columnsOf(statement)
    const { rows, numAffectedRows } = await this.#guard(lane, () => lane.db.executeQuery<Row>(query))
    const isWrite = this.isWrite(statement)
    return {
      rows: this.read<T>(rows, columns, outcomeIfUnread(isWrite, lane)),
      affectedRows: numAffectedRows ?? (isWrite ? BigInt(rows.length) : 0n),
    }
  }

  /** Runs one statement and leaves its rows as the driver gave them. */
  async rows(lane: Lane, statement: Statement): Promise<Row[]> {
    const query = this.#compile(lane, statement)
    return (await this.#guard(lane, () => lane.db.executeQuery<Row>(query))).rows
  }

  /** Reads a statement's rows as the driver's own cursor gives them. */
  async *stream<T>(lane: Lane, statement: Statement): AsyncGenerator<T> {
    const query = this.#compile(lane, statement)
    const columns = await this.columnsOf(statement)
    const chunks = lane.db.getExecutor().stream<Row>(query, PAGE_ROWS)[Symbol.asyncIterator]()
    try {
      for (;;) {
        const chunk = await this.#guard(lane, () => chunks.next())
        if (chunk.done) return
        yield* this.read<T>(chunk.value.rows, columns, outcomeIfUnread(this.isWrite(statement), lane))
      }
    } finally {
      await chunks.return?.()
    }
  }

  /** How a statement's columns are to be read; null if nobody can say. It writes nothing. */
  async columnsOf(statement: Statement): Promise<readonly ColumnReading[] | null> {
    try {
      return (await this.#columns?.(statement)) ?? null
    } catch (error) {
      throw this.engine.meaning(error, 'not-applied')
    }
  }

  /** Reads rows in place. `outcome` is what became of the statement if one of them cannot be read. */
  read<T>(rows: Row[], columns: readonly ColumnReading[] | null, outcome: Outcome): readonly T[] {
    const { decode } = this.engine
    if (decode) for (const row of rows) for (const name of Object.keys(row)) row[name] = decode(row[name])
    if (columns) readColumns(rows, columns, outcome)
    if (this.#isNarrow) readNarrow(rows, outcome)
    return rows as T[]
  }

  /** Does a statement write? One that does is never run twice, nor wrapped. */
  isWrite({ sql }: Statement): boolean {
    const words = bareText(sql, this.dialect)
    if (/^\s*with\b/i.test(words))
      return /\b(?:insert|replace|merge)\s+into\b|\bdelete\s+from\b|\bupdate\b[\s\S]*\bset\b/i.test(words)
    return /^\s*(?:insert|update|delete|replace|merge)\b/i.test(words)
  }

  /** A name for what a session keeps, that nothing else of this executor has. */
  nextName(): string {
    return `shard_kept_${++this.#kept}`
  }

  #compile({ insideTransaction }: Lane, { sql, parameters }: Statement): CompiledQuery<Row> {
    const refusal = this.engine.refusal(bareText(sql, this.dialect), insideTransaction)
    if (refusal !== null) throw new InvalidArgumentError(refusal)
    return CompiledQuery.raw(
      sql,
      parameters.map((value, i) => this.#encode(value, i)),
    ) as CompiledQuery<Row>
  }

  #encode(value: unknown, index: number): unknown {
    const encoded = this.engine.encode(value)
    const isWhole = typeof encoded === 'bigint' || (typeof encoded === 'number' && Number.isInteger(encoded))
    if (!this.#isNarrow || !isWhole) return encoded
    if (Number.isSafeInteger(Number(encoded))) return Number(encoded)
    throw new InvalidArgumentError(`parameter ${index + 1}: the engine cannot carry ${encoded} exactly`)
  }

  async #guard<T>({ lost }: Lane, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw this.engine.meaning(error, lost)
    }
  }
}

/** In a transaction that is still to be seen. */
function outcomeIfUnread(isWrite: boolean, { insideTransaction }: Lane): Outcome {
  if (!isWrite) return 'not-applied'
  return insideTransaction ? 'unknown' : 'applied'
}
