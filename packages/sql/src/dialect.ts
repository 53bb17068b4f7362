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
  /** The database's own clock in unix milliseconds, as a BIGINT expression. */
  readonly nowMs: RawBuilder<bigint>
  /**
   * A statement for the start of a transaction that changes the schema, so that two of them exclude each
   * other; it gives one row with `locked` = 1 once it has the lock. Null where transactions do so by themselves.
   */
  readonly lockSchema: string | null
  /** Frees the lock, where the end of the transaction does not. */
  readonly unlockSchema: string | null
  /** The type of a short text column that compares by its bytes, trailing spaces included. */
  readonly binaryText: string
}
