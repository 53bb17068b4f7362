import type { Route, RoutingKey, ShardId } from '@shard/core'
import type { KyselyPlugin } from 'kysely'
import { type AnyKysely, handleOf, routeOf } from './routing-handle.ts'

/**
 * The same Kysely, or transaction, whose statements all go to one shard, raw ones too. Nothing is proven of them:
 * that the rows live there is the caller's word. Add plugins of your own before.
 * @throws InvalidArgumentError for a number that no shard can have
 */
export function onShard<Db extends AnyKysely>(db: Db, shard: ShardId): Db {
  return told(db, routeOf(handleOf(db).executor, { shard }))
}

/** As `onShard`, for the global database. */
export function onGlobal<Db extends AnyKysely>(db: Db): Db {
  return told(db, 'global')
}

/**
 * As `onShard`, for the shard of a key: an id as a bigint, or the text of a text key.
 * @throws InvalidArgumentError for a text where the locator takes ids only
 */
export function withRoute<Db extends AnyKysely>(db: Db, key: RoutingKey | string): Db {
  return told(db, routeOf(handleOf(db).executor, { key }))
}

function told<Db extends AnyKysely>(db: Db, route: Route): Db {
  const handle = handleOf(db)
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      handle.tell(queryId, route)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return db.withPlugin(plugin) as Db
}
