import { type Clock, type Executor, systemClock } from '@shard/core'
import { memoryControl, memoryWorkerLeases, workerLeases } from '@shard/registry'
import type { WorkerLeaseHost } from '../src/worker-lease.suite.ts'
import { connectedDatabase } from './connected-database.ts'
import type { Database } from './databases.ts'
import { expire } from './lease-hosts.ts'

/** Worker numbers on an empty database of an engine, each over connections of its own. */
export async function workerLeaseHost(
  engine: Database,
  decorate?: (executor: Executor) => Executor,
): Promise<WorkerLeaseHost> {
  const { connect, close } = await connectedDatabase(engine, 4, decorate)
  return {
    workers: (options) => workerLeases(connect(), options),
    expire: () => expire(connect()),
    close,
  }
}

/** Worker numbers in memory; time leaps on for the database and for all hosts. */
export async function memoryWorkerLeaseHost(): Promise<WorkerLeaseHost> {
  let aheadMs = 0
  const ahead = (clock: Clock): Clock => ({
    now: () => clock.now() + aheadMs,
    monotonicMs: () => clock.monotonicMs(),
  })
  const control = memoryControl(ahead(systemClock))
  return {
    workers: (options) =>
      memoryWorkerLeases({ ...options, clock: ahead(options?.clock ?? systemClock), control }),
    async expire() {
      aheadMs += 86_400_000
    },
    close: async () => {},
  }
}
