import type { CallOptions, Executor, StatementSource } from '@shard/core'
import { statementFor } from '@shard/core'
import { type Fencing, fencedExecutor, shardFence, writeIdentity } from '@shard/sql'
import type { ExecutorHost } from '../src/executor.suite.ts'
import type { FenceHost } from '../src/fence.suite.ts'
import { connectedDatabase } from './connected-database.ts'
import type { Database } from './databases.ts'
import { executorHost } from './executor-hosts.ts'

/** An empty database of an engine, and as many connections to it as a test asks for. */
export function fenceHost(engine: Database): Promise<FenceHost> {
  return connectedDatabase(engine, 2)
}

/** A fenced executor whose grant is in force, as the executor suite wants it. */
export async function fencedExecutorHost(engine: Database): Promise<ExecutorHost> {
  const grant: Fencing = { token: 1n, nonce: 'owner' }
  const { executor, close } = await executorHost(engine)
  await writeIdentity(executor, { cluster: 'c1', family: 'users', shard: 1 })
  await shardFence(executor).grant(0n, grant)
  return { executor: fencedExecutor(executor, grant), close }
}

/** A mutant of the engine: its locking reads do not lock, or where none are needed, its transactions are none. */
export function withoutLocks(executor: Executor): Executor {
  const around = (inner: Executor): Executor => ({
    dialect: inner.dialect,
    family: inner.family,
    execute<Row>(source: StatementSource, options?: CallOptions) {
      const { sql, parameters } = statementFor(source, inner.dialect)
      const unlocked = sql.replace(/\b(for share|lock in share mode)$/i, '')
      return inner.execute<Row>({ sql: unlocked, parameters }, options)
    },
    stream: (source, options) => inner.stream(source, options),
    transaction: (work, options) =>
      inner.dialect === 'sqlite' ? work(around(inner)) : inner.transaction((tx) => work(around(tx)), options),
    shardIds: () => inner.shardIds(),
    close: () => inner.close(),
    [Symbol.asyncDispose]: () => inner.close(),
  })
  return around(executor)
}
