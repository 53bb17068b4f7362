import type { Id } from '@shard/core'
import type { SchemaLadder } from '@shard/sql'

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

/** The tables on each shard. */
export const shardSchema: SchemaLadder = {
  name: 'demo_shard',
  steps: [
    [
      `create table accounts (
  id bigint not null primary key,
  email varchar(254) not null,
  name varchar(200) not null,
  created_at_ms bigint not null
)`,
      `create table messages (
  id bigint not null primary key,
  account_id bigint not null references accounts (id),
  row_key varchar(40) not null unique,
  body text not null,
  sent_at_ms bigint not null
)`,
      'create index messages_by_account on messages (account_id, id)',
      'create index messages_by_time on messages (sent_at_ms)',
    ],
  ],
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
