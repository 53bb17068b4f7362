import type { Statement } from '@shard/core'
import type { SchemaLadder } from '@shard/sql'

/** What the registry asks of an engine. */
export interface RegistryDialect {
  /** The tables of the global database. */
  readonly schema: SchemaLadder
  /** Measures the database it runs on: one row, `size_bytes` in use and `file_bytes` taken, as bigints. */
  readonly measureSize: Statement
}
