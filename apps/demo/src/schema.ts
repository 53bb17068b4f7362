import type { Id } from '@shard/core'
import type { SchemaLadder } from '@shard/sql'

/** The name of the sharded family. */
export const FAMILY = 'accounts'

/** On the shard that its id names. */
export interface AccountRow {
  readonly id: Id
  /** As it was first spelled; the directory holds the normalised key. */
  readonly email: string
  readonly name: string
  readonly created_at_ms: bigint
}

/** On its account's shard. */
export interface MessageRow {
  readonly id: Id
  readonly account_id: Id
  /** Names the imported row that it came from; unique, so that no row is stored twice. */
  readonly row_key: string
  readonly body: string
  readonly sent_at_ms: bigint
}

/** The tables on each shard. */
export interface ShardTables {
  readonly accounts: AccountRow
  readonly messages: MessageRow
}

/** The app's own table in the global database. */
export interface GlobalTables {
  readonly demo_cluster: { readonly id: number; readonly name: string }
}

/** One row: the name that tells this cluster's databases from those of every other. */
export const globalSchema: SchemaLadder = {
  name: 'demo_global',
  steps: [
    [
      `create table demo_cluster (
  id integer not null primary key check (id = 1),
  name varchar(63) not null
)`,
    ],
  ],
}
