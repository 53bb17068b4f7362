import { type Clock, type Executor, systemClock } from '@shard/core'
import { memoryControl, memoryWorkerLeases, workerLeases } from '@shard/registry'
import type { WorkerLeaseHost } from '../src/worker-lease.suite.ts'
import type { Database } from './databases.ts'
import { freshDatabase, openDatabase } from './fresh-database.ts'
import { expire } from './lease-hosts.ts'

/** Worker numbers on an empty database of an engine, each over connections of its own. */
export async function workerLeaseHost(
  engine: Database,
  decorate: (executor: Executor) => Executor = (executor) => executor,
): Promise<WorkerLeaseHost> {
  const database = await freshDatabase(engine)
  const executors: Executor[] = []
  const connect = (): Executor => {
    const executor = decorate(openDatabase(database.url))
    executors.push(executor)
    return executor
  }
  return {
    workers: (options) => workerLeases(connect(), options),
    expire: () => expire(connect()),
    async close() {
      await Promise.all(executors.map((executor) => executor.close()))
      await database.drop()
    },
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
