import { type Executor, InvalidArgumentError } from '@shard/core'
import type { Dialect, Driver, Kysely } from 'kysely'
import { checkExecutor } from './check-executor.ts'
import { partsOf } from './driver/parts.ts'
import { executorDialect } from './executor-dialect.ts'
import { ExecutorRouting } from './executor-routing.ts'
import { routingCompiler } from './routing/compiler.ts'
import { Router } from './routing/router.ts'
import type { Shadow, ShadowOptions } from './shadow.ts'
import { ShadowRouting } from './shadow-routing.ts'
import { type CheckedTables, checkTables, type ShardTables } from './tables.ts'
import type { DatabaseIntrospector, DialectAdapter, QueryCompiler } from './tree.ts'

/** What a sharded Kysely is made of. */
export interface ShardDialectOptions<DB> {
  /** A `ShardedExecutor`, or one database: then nothing is on another shard, and the same rules hold. */
  readonly executor: Executor
  readonly tables: ShardTables<DB>
  /** Runs everything on one database and tells of each statement that sharding would refuse. */
  readonly shadow?: ShadowOptions | Shadow
}

// biome-ignore lint/suspicious/noExplicitAny: without its own type, a dialect takes any names
type AnyDatabase = any

/**
 * A Kysely dialect that finds the shard of each statement in the statement itself. It runs only if every use of a
 * sharded table in it is pinned to one shard by an equality of its shard key; otherwise nothing runs.
 *
 * Statements race as they do on the databases themselves. A transaction is on the database of its first statement.
 * @throws InvalidArgumentError for tables that are none, or text keys where the locator takes ids only
 */
export class ShardDialect<DB = AnyDatabase> implements Dialect {
  readonly #dialect: Dialect

  constructor({ executor: given, tables, shadow }: ShardDialectOptions<DB>) {
    const executor = checkExecutor(given)
    const checked = checkTables(tables)
    if (executor.idsOnly && hasTextKey(checked))
      throw new InvalidArgumentError('text keys need a locator that hashes, and this one takes ids only')
    const compiler = routingCompiler(partsOf[executor.dialect].Compiler)
    const routing =
      shadow === undefined
        ? new ExecutorRouting({ executor, router: new Router(checked, executor, compiler), route: undefined })
        : new ShadowRouting(executor, checked, compiler, shadow)
    this.#dialect = executorDialect(routing)
  }

  createDriver(): Driver {
    return this.#dialect.createDriver()
  }

  createQueryCompiler(): QueryCompiler {
    return this.#dialect.createQueryCompiler()
  }

  createAdapter(): DialectAdapter {
    return this.#dialect.createAdapter()
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return this.#dialect.createIntrospector(db)
  }
}

function hasTextKey(tables: CheckedTables): boolean {
  return [...tables.values()].some((rule) => rule.kind === 'sharded' && rule.keyType === 'text')
}
