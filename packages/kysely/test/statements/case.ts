import type { Compilable, Kysely } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: hostile statements are not what the types allow
export type Db = Kysely<any>

/** Where a statement has to go, or why it may not. Shard 1 has the ids 1, 5, 9, shard 2 has 2, 6, 10, ... */
export type Expected = 0 | 1 | 2 | 3 | 'global' | 'UNROUTED' | 'CROSS_SHARD'

/** What it is about, the statement, and where it goes. */
export type Case = readonly [name: string, statement: (db: Db) => Compilable, expected: Expected]
