import type { Executor } from '@shard/core'
import { type Lease, leases } from '@shard/sql'
import { openDatabase } from './fresh-database.ts'

// One of several processes that want the same lease again and again; lease-processes.test.ts runs it. It says
// that it is ready, and answers each message with one.

/** What a racer is to do. */
export interface LeaseHeat {
  readonly url: string
  readonly owner: string
  /** How often it must hold the lease. */
  readonly turns: number
  /** Does it keep the last one, and never answer again? */
  readonly dies: boolean
}

/** How long a lease lasts whose holder dies. */
export const SHORT_MS = 1_000

async function race({ url, owner, turns, dies }: LeaseHeat): Promise<string[]> {
  const executor = openDatabase(url, 1)
  const epochs: string[] = []
  while (epochs.length < turns) {
    const isLast = dies && epochs.length === turns - 1
    const lease = await leases(executor).acquire('leader', { owner, ttlMs: isLast ? SHORT_MS : 60_000 })
    if (!lease) continue
    await enter(executor, lease)
    epochs.push(`${lease.epoch}`)
    if (isLast) return epochs
    if (!(await lease.release())) throw new Error('a lease that was held could not be released')
  }
  await executor.close()
  return epochs
}

/** Leaves a trace that the same epoch cannot leave twice. */
async function enter(executor: Executor, { epoch, owner }: Lease): Promise<void> {
  const sql = `insert into entry (epoch, owner) values (${epoch}, '${owner}')`
  await executor.execute({ sql, parameters: [] })
}

process.once('message', async (heat: LeaseHeat) => {
  process.send?.(await race(heat).catch((error: unknown) => String(error)))
})
process.send?.('ready')
