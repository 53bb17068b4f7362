import { type Clock, ConnectionLostError, systemClock } from '@shard/core'
import { sqliteExecutor } from '@shard/core/sqlite'
import { claimFates, type Directory, memoryDirectory, memoryFates } from '@shard/directory'
import { applySchema } from '@shard/sql'
import SqliteDriver from 'better-sqlite3'
import type { ExecutorHost } from '../src/executor.suite.ts'
import { randomFaults } from '../src/faults.ts'
import { faultyExecutor } from '../src/faulty-executor.ts'
import type { Database } from './databases.ts'
import type { HistoryHost } from './directory-history.ts'
import { directoryAdapterOf, directoryOn } from './directory-hosts.ts'
import { executorHost } from './executor-hosts.ts'
import { skewed } from './skewed.ts'

/** Longer than any claim of a history. */
const FAR_MS = 7_200_000

/** A host in memory; of calls, some are lost on the way there or back. */
export function memoryHistoryHost(random: () => number): HistoryHost {
  let aheadMs = 0
  const clock: Clock = { ...systemClock, now: () => Date.now() + aheadMs }
  const fates = memoryFates()
  return {
    directory: lossy(memoryDirectory({ fates, clock }), random),
    fates,
    advance() {
      aheadMs += FAR_MS
    },
  }
}

function lossy(directory: Directory, random: () => number): Directory {
  const lost = (outcome: 'unknown' | 'not-applied'): ConnectionLostError =>
    new ConnectionLostError(new Error('lost'), outcome)
  return new Proxy(directory, {
    get(target, name) {
      const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>
      return async (...args: unknown[]) => {
        const dice = random()
        if (dice < 0.01) throw lost('not-applied')
        const answer = await method(...args)
        if (dice < 0.03) throw lost('unknown')
        return answer
      }
    },
  })
}

/** Runs `body` with a host on a new database, whose connections break at random statements and commits. */
export async function withHistoryHost<T>(
  engine: Database,
  seed: number,
  body: (host: HistoryHost) => Promise<T>,
): Promise<T> {
  let aheadMs = 0
  const { executor, close } = await (engine.name === 'sqlite' ? inMemory() : executorHost(engine))
  try {
    const { schema, shardSchema } = directoryAdapterOf(engine)
    for (const ladder of [schema, shardSchema]) await applySchema(executor, ladder)
    const broken = faultyExecutor(executor, randomFaults(seed, { dropRequest: 0.004, dropReply: 0.008 }))
    const late = skewed(broken, () => aheadMs)
    return await body({
      directory: directoryOn(late, { accountsHere: true }),
      fates: claimFates(late, { accountsHere: true }),
      advance() {
        aheadMs += FAR_MS
      },
    })
  } finally {
    await close()
  }
}

/** SQLite without a disk, which would be most of a long history. */
async function inMemory(): Promise<ExecutorHost> {
  const executor = sqliteExecutor(new SqliteDriver(':memory:'))
  return { executor, close: () => executor.close() }
}
