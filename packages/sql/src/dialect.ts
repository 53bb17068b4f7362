import type { DialectName } from '@shard/core'
import type { DialectAdapter, QueryCompiler, RawBuilder } from 'kysely'

/**
 * All that the SQL of the feature packages asks of an engine. Shared code reads a field and never the
 * name, so a new engine is a type error until each question is answered.
 */
export interface SqlDialect {
  readonly name: DialectName
  /** Kysely's parts for this engine. */
  createAdapter(): DialectAdapter
  createQueryCompiler(): QueryCompiler
  /** The database's own clock in unix milliseconds, as a BIGINT expression; no time zone touches it. */
  readonly nowMs: RawBuilder<bigint>
  /** The type of a short text column that compares by its bytes, trailing spaces included; see `textOf`. */
  readonly binaryText: string
  /** Ends a select that must see the last committed row, and keep others from changing it until the commit. */
  readonly lockForShare: RawBuilder<unknown>
  /** A statement that lets a change of the fence through, however many writers come and go; null if a change waits its turn. */
  readonly lockFence: string | null
  /** How the schema is changed. */
  readonly ddl: DdlDialect
}

/** What an engine's changes of the schema are like. */
export interface DdlDialect {
  /**
   * A statement for the start of a transaction that changes the schema, so that two of them exclude each
   * other; it gives one row with `locked` = 1 once it has the lock. Null where transactions do so by themselves.
   */
  readonly lock: string | null
  /** Frees the lock, where the end of the transaction does not. */
  readonly unlock: string | null
  /** A statement that commits, on an engine whose changes of the schema do so too; null if they can be undone. */
  readonly commit: string | null
  /** Was a change of the schema refused because it is there already? Asked only where they commit by themselves. */
  isRepeated(error: unknown): boolean
}
