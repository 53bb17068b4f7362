import type { DialectName } from '@shard/core'

const SERVER_CHECKS = `
  size_bytes bigint not null check (size_bytes >= 0),
  file_bytes bigint check (file_bytes >= 0),
  max_bytes bigint check (max_bytes > 0),`

const SQLITE_CHECKS = `
  size_bytes bigint not null check (typeof(size_bytes) = 'integer' and size_bytes >= 0),
  file_bytes bigint check (typeof(file_bytes) in ('integer', 'null') and file_bytes >= 0),
  max_bytes bigint check (typeof(max_bytes) in ('integer', 'null') and max_bytes > 0),`

/** How an engine spelled the columns of the first version. */
interface Spelling {
  readonly text: (length: number) => string
  readonly real: string
  readonly sizes: string
  readonly table: string
}

function tablesIn({ text, real, sizes, table }: Spelling): readonly string[] {
  return [
    `create table shards (
  family ${text(63)} not null,
  id integer not null check (id between 0 and 16777215),
  name ${text(128)} not null,
  database_id ${text(255)},
  region ${text(63)},
  status ${text(32)} not null
    check (status in ('provisioning', 'standby', 'active', 'sealed', 'disabled', 'retired')),${sizes}
  admit_threshold ${real} not null check (admit_threshold > 0 and admit_threshold <= 1),
  hard_threshold ${real} not null check (hard_threshold > 0 and hard_threshold <= 1),
  schema_version bigint not null check (schema_version >= 0),
  successor_id integer,
  created_at_ms bigint not null,
  sealed_at_ms bigint,
  last_size_check_at_ms bigint,
  size_error ${text(500)},
  version bigint not null check (version > 0),
  primary key (family, id)
)${table}`,
    `create table shard_history (
  family ${text(63)} not null,
  shard_id integer not null,
  version bigint not null,
  from_status ${text(32)},
  to_status ${text(32)} not null,
  changed_by ${text(128)},
  reason ${text(1000)},
  at_ms bigint not null,
  primary key (family, shard_id, version)
)${table}`,
    `create table shard_families (
  family ${text(63)} not null primary key,
  version bigint not null check (version > 0)
)${table}`,
  ]
}

const sqlite = tablesIn({ text: () => 'text', real: 'real', sizes: SQLITE_CHECKS, table: '' })
const postgres = tablesIn({
  text: () => 'text',
  real: 'double precision',
  sizes: SERVER_CHECKS,
  table: '',
})
const mysql = tablesIn({
  text: (length) => `varchar(${length})`,
  real: 'double',
  sizes: SERVER_CHECKS,
  table: ' engine = InnoDB default character set utf8mb4 collate utf8mb4_bin',
})

/** The registry's tables as the first version made them, in its steps; written down once, and never edited. */
export const registryV1: Record<DialectName, readonly (readonly string[])[]> = {
  sqlite: [sqlite.slice(0, 2), sqlite.slice(2)],
  postgres: [postgres],
  mysql: [mysql],
}

/** Rows of that version: an active shard that is half full, a sealed one, their history, and a family's row. */
export const rowsOfV1: readonly string[] = [
  `insert into shards (family, id, name, region, status, size_bytes, file_bytes, max_bytes, admit_threshold,
    hard_threshold, schema_version, successor_id, created_at_ms, sealed_at_ms, last_size_check_at_ms, version)
    values ('users', 1, 'one', 'eu', 'sealed', 9007199254740993, 9223372036854775807, 9223372036854775807, 0.25,
    1, 3, 2, 1700000000001, 1700000000002, 1700000000003, 4)`,
  `insert into shards (family, id, name, status, size_bytes, max_bytes, admit_threshold, hard_threshold,
    schema_version, created_at_ms, size_error, version)
    values ('users', 2, 'two', 'active', 7, 14, 0.5, 0.9, 0, 1700000000001, 'no route', 2)`,
  `insert into shard_history values ('users', 1, 1, null, 'active', null, null, 1700000000001)`,
  `insert into shard_history values ('users', 1, 4, 'active', 'sealed', 'placer', 'full', 1700000000002)`,
  `insert into shard_history values ('users', 2, 2, 'standby', 'active', 'placer', 'full', 1700000000002)`,
  `insert into shard_families values ('users', 3)`,
]
