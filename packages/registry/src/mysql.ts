import type { Executor, Statement } from '@shard/core'
import type { SchemaLadder } from '@shard/sql'
import { sql } from 'kysely'
import type { ShardRegistry } from './registry.ts'
import { type RegistryOptions, sqlRegistry } from './sql.ts'

/** Whatever the database's defaults are. */
const TABLE = 'engine = InnoDB default character set utf8mb4 collate utf8mb4_bin'

/** The registry's tables. */
export const createTables: readonly string[] = [
  `create table shards (
  family varchar(63) not null,
  id integer not null check (id between 0 and 16777215),
  name varchar(128) not null,
  database_id varchar(255),
  region varchar(63),
  status varchar(32) not null
    check (status in ('provisioning', 'standby', 'active', 'sealed', 'disabled', 'retired')),
  size_bytes bigint not null check (size_bytes >= 0),
  file_bytes bigint check (file_bytes >= 0),
  max_bytes bigint check (max_bytes > 0),
  admit_threshold double not null check (admit_threshold > 0 and admit_threshold <= 1),
  hard_threshold double not null check (hard_threshold > 0 and hard_threshold <= 1),
  schema_version bigint not null check (schema_version >= 0),
  successor_id integer,
  created_at_ms bigint not null,
  sealed_at_ms bigint,
  last_size_check_at_ms bigint,
  size_error varchar(500),
  version bigint not null check (version > 0),
  primary key (family, id)
) ${TABLE}`,
  `create table shard_history (
  family varchar(63) not null,
  shard_id integer not null,
  version bigint not null,
  from_status varchar(32),
  to_status varchar(32) not null,
  changed_by varchar(128),
  reason varchar(1000),
  at_ms bigint not null,
  primary key (family, shard_id, version)
) ${TABLE}`,
  `create table shard_families (
  family varchar(63) not null primary key,
  version bigint not null check (version > 0)
) ${TABLE}`,
  `alter table shards
  add column reserved_ever bigint not null default 0,
  add column reserved_keys bigint not null default 0,
  add constraint shards_reserved_check check (reserved_keys between 0 and reserved_ever)`,
]

/** The ladder of the registry's tables. */
export const schema: SchemaLadder = {
  name: 'registry',
  steps: [createTables.slice(0, 3), createTables.slice(3)],
}

/**
 * The files of the database's tables, at this moment; needs the privilege PROCESS, and `innodb_file_per_table`,
 * the default: a database without a file of its own is not measured, which is not 0. What
 * `information_schema.tables` says are statistics, minutes old or more, whatever `information_schema_stats_expiry`.
 * MySQL 8 reads the first comment and MariaDB the second, where each has the same view under its own name.
 * https://dev.mysql.com/doc/refman/8.0/en/information-schema-innodb-tablespaces-table.html
 * https://mariadb.com/kb/en/information-schema-innodb_sys_tablespaces-table/
 */
export const measureSize: Statement = {
  sql: `select cast(sum(file_size) as signed) as size_bytes, cast(sum(allocated_size) as signed) as file_bytes
from /*!80000 information_schema.innodb_tablespaces */ /*M! information_schema.innodb_sys_tablespaces */
where cast(substring_index(name, '/', 1) as binary) = convert(convert(database() using filename) using binary)`,
  parameters: [],
}

/** The registry of a family in a MySQL or MariaDB global database, whose tables `ensureControlTables` makes. */
export function mysqlRegistry(executor: Executor, options: RegistryOptions): ShardRegistry {
  return sqlRegistry(executor, options, (insert) =>
    insert.onDuplicateKeyUpdate({ version: sql`version + 1` }),
  )
}
