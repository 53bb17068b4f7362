import type { DialectName, Executor, Route } from '@shard/core'
import { dialectOf, queryBuilder } from '@shard/sql'
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { ShardTables } from './schema.ts'

type Build<Row> = (db: Kysely<ShardTables>) => Compilable<Row>

/** A query on a shard's tables, spelled for the engine that will run it: a fleet may mix them. */
export function shardQuery<Row>(build: Build<Row>): (dialect: DialectName) => CompiledQuery<Row> {
  return (dialect) => build(queryBuilder<ShardTables>(dialectOf({ dialect }))).compile()
}

/** Reads rows from the shard of a route. */
export async function readShard<Row>(
  executor: Executor,
  route: Route,
  build: Build<Row>,
): Promise<readonly Row[]> {
  return (await executor.execute<Row>(shardQuery(build), { route })).rows
}
