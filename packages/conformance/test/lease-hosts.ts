import { type Clock, type Executor, systemClock } from '@shard/core'
import { leases, memoryLeases } from '@shard/sql'
import type { LeaseHost } from '../src/lease.suite.ts'
import type { Database } from './databases.ts'
import { freshDatabase, openDatabase } from './fresh-database.ts'

/** Leases on an empty database of an engine, each over connections of its own. */
export async function leaseHost(
  engine: Database,
  decorate: (executor: Executor) => Executor = (executor) => executor,
): Promise<LeaseHost> {
  const database = await freshDatabase(engine)
  const executors: Executor[] = []
  const connect = (): Executor => {
    const executor = decorate(openDatabase(database.url))
    executors.push(executor)
    return executor
  }
  return {
    leases: () => leases(connect()),
    expire: () => expire(connect()),
    async close() {
      await Promise.all(executors.map((executor) => executor.close()))
      await database.drop()
    },
  }
}

/** Leases in memory, with a clock that can be moved on. */
export async function memoryLeaseHost(): Promise<LeaseHost> {
  let aheadMs = 0
  const clock: Clock = { ...systemClock, now: () => Date.now() + aheadMs }
  const kept = memoryLeases({ clock })
  return {
    leases: () => kept,
    async expire() {
      aheadMs += 86_400_000
    },
    close: async () => {},
  }
}

/** Lets every lease of a database expire, as time would. */
export async function expire(executor: Executor): Promise<void> {
  await executor.execute({ sql: 'update shard_leases set expires_at_ms = 0', parameters: [] })
}
