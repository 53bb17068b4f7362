import {
  type DialectName,
  type Executor,
  InvalidArgumentError,
  ShardedExecutor,
  type Statement,
  staticCatalog,
} from '@shard/core'
import type { Compilable, KyselyPlugin } from 'kysely'
import { type DialectParts, partsOf } from '../driver/parts.ts'
import { routingCompiler } from '../routing/compiler.ts'
import { type AnyKysely, handleOf } from '../routing-handle.ts'
import { copyTree, is, type QueryId, type RootOperationNode, type SelectQueryNode } from '../tree.ts'
import { cannotCombine } from './select-parts.ts'
import { type Spread, spreadOf } from './spread.ts'

type Row = Record<string, unknown>

/** A query that is put to every shard. */
export interface Question {
  readonly executor: Executor
  readonly parts: DialectParts
  readonly root: SelectQueryNode
  readonly spread: Spread
  /** Spells a part of the query for the engine of a shard. */
  spell(node: SelectQueryNode): (dialect: DialectName) => Statement
  /** Rows as the plugins of the Kysely give them. */
  given<Given>(rows: readonly Row[]): Promise<readonly Given[]>
}

/**
 * Reads a query that is to be put to every shard.
 * @throws UnroutedError if the answers of the shards are not that of one table
 * @throws InvalidArgumentError for a Kysely that is in a transaction or has no tables to route by
 */
export function questionOf(db: AnyKysely, query: Compilable): Question {
  const handle = handleOf(db)
  if (db.isTransaction)
    throw new InvalidArgumentError('a transaction is on one database: fan out outside of it')
  if (handle.router === null) throw new InvalidArgumentError('a fan-out needs a Kysely of ShardDialect')
  const compiled = query.compile()
  if (handle.toldTo(compiled) !== undefined) throw new InvalidArgumentError('the query was told where to go')
  const root = copyTree(compiled.query)
  if (!is<SelectQueryNode>(root, 'SelectQueryNode')) throw cannotCombine('it is no SELECT')
  const { setOperations, endModifiers, fetch, explain, distinctOn } = root
  if (setOperations) throw cannotCombine('a UNION')
  if (endModifiers?.length || fetch || explain || distinctOn)
    throw cannotCombine('FOR UPDATE, FETCH, EXPLAIN or DISTINCT ON')
  return {
    executor: shardsOf(handle.executor),
    parts: partsOf[handle.executor.dialect],
    root,
    spread: spreadOf(root, new Map(), handle.router.tables),
    spell: (node) => speller(node, compiled.queryId),
    given: (rows) => giveThrough(db.getExecutor().plugins, compiled.queryId, rows),
  }
}

/** One database is a fleet of one shard. */
function shardsOf(executor: Executor): Executor {
  if (executor.family !== null) return executor
  const catalog = staticCatalog({ global: executor, shards: new Map([[0, executor]]) })
  const idBits = executor.int64 === false ? 53 : 64
  return new ShardedExecutor({ catalog, locator: { idBits, locate: () => 0 }, family: 'one' })
}

function speller(node: RootOperationNode, queryId: QueryId): (dialect: DialectName) => Statement {
  const spelled = new Map<DialectName, Statement>()
  return (dialect) => {
    const known = spelled.get(dialect)
    if (known) return known
    const statement = routingCompiler(partsOf[dialect].Compiler).compileQuery(node, queryId)
    spelled.set(dialect, statement)
    return statement
  }
}

async function giveThrough<Given>(
  plugins: readonly KyselyPlugin[],
  queryId: QueryId,
  rows: readonly Row[],
): Promise<readonly Given[]> {
  let result: { rows: Record<string, unknown>[] } = { rows: rows as Row[] }
  for (const plugin of plugins) {
    result = (await plugin.transformResult({ queryId, result })) as { rows: Record<string, unknown>[] }
  }
  return result.rows as Given[]
}
