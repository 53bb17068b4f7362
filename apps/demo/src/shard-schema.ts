import type { SchemaLadder } from '@shard/sql'

/** The tables on each shard, for SQLite and PostgreSQL. */
export const ansiShardSchema: SchemaLadder = {
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

/** The same for MySQL and MariaDB, whose default character sets lose or fold letters. */
export const mysqlShardSchema: SchemaLadder = {
  name: 'demo_shard',
  steps: [
    [
      `create table accounts (
  id bigint not null primary key,
  email varchar(254) not null,
  name varchar(200) not null,
  created_at_ms bigint not null
) character set utf8mb4 collate utf8mb4_bin`,
      `create table messages (
  id bigint not null primary key,
  account_id bigint not null,
  row_key varchar(40) not null unique,
  body text not null,
  sent_at_ms bigint not null,
  key messages_by_account (account_id, id),
  key messages_by_time (sent_at_ms),
  foreign key (account_id) references accounts (id)
) character set utf8mb4 collate utf8mb4_bin`,
    ],
  ],
}
