import { type Clock, type Executor, systemClock } from '@shard/core'
import { leases, memoryLeases } from '@shard/sql'
import type { LeaseHost } from '../src/lease.suite.ts'
import { connectedDatabase } from './connected-database.ts'
import type { Database } from './databases.ts'

/** Leases on an empty database of an engine, each over connections of its own. */
export async function leaseHost(
  engine: Database,
  decorate?: (executor: Executor) => Executor,
): Promise<LeaseHost> {
  const { connect, close } = await connectedDatabase(engine, 4, decorate)
  return {
    leases: () => leases(connect()),
    expire: () => expire(connect()),
    close,
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
