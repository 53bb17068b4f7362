import type { ColumnType } from 'kysely'
import type { SqlDialect } from './dialect.ts'
import type { SchemaLadder } from './schema-ladder.ts'

type Text = ColumnType<string | Uint8Array, string, string>
type OptionalText = ColumnType<string | Uint8Array | null, string | null, string | null>

/** A lease as it is kept. Rows are never deleted: a name must not forget its epoch. */
export interface LeaseTable {
  name: Text
  /** Null while it is free, like the token. */
  owner: OptionalText
  token: OptionalText
  epoch: bigint
  expires_at_ms: bigint
  /** The end of what has been reserved under the name; never lowered. */
  mark_ms: bigint
}

/** The tables that queries on leases are written against. */
export interface LeaseTables {
  shard_leases: LeaseTable
}

/** No lease's name: its row holds the epoch and the mark that names start from which have no row yet. */
export const FLOOR = ''

/** The ladder of `shard_leases`. */
export function leaseSchemaOf({ binaryText }: SqlDialect): SchemaLadder {
  return {
    name: 'shard_leases',
    steps: [
      [
        `create table shard_leases (
  name ${binaryText} not null,
  owner ${binaryText},
  token ${binaryText},
  epoch bigint not null check (epoch >= 0),
  expires_at_ms bigint not null,
  mark_ms bigint not null check (mark_ms >= 0),
  primary key (name)
)`,
        `insert into shard_leases (name, epoch, expires_at_ms, mark_ms) values ('${FLOOR}', 0, 0, 0)`,
      ],
    ],
  }
}
