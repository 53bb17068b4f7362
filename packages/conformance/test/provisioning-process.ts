import { once } from 'node:events'
import type { ProvisionStep } from '@shard/placer'
import { openDatabase } from './fresh-database.ts'
import { provisionerAt, type Site } from './workbenches.ts'

// A process that makes shards, and comes to an end, or stands still, right after a step; provisioner-kill.test.ts runs it.

/** What a process is to do, and where it ends. */
export interface Provisioning {
  readonly site: Site
  readonly after: ProvisionStep['step']
  readonly how: 'SIGKILL' | 'SIGSTOP'
}

async function provision({ site, after, how }: Provisioning): Promise<string> {
  const global = openDatabase(site.url, 2)
  let isReached = false
  const provisioner = provisionerAt(site, global, {
    keepStandbys: 1,
    leaseTtlMs: 600_000,
    owner: `process ${process.pid}`,
    onStep: async ({ step }) => {
      if (step !== after || isReached) return
      isReached = true
      await new Promise((resolve) => process.send?.({ pid: process.pid }, resolve))
      process.kill(process.pid, how)
    },
  })
  const { state } = await provisioner.run().catch((error: unknown) => ({ state: String(error) }))
  await global.close()
  return state
}

process.once('message', async (work: Provisioning) => {
  const asked = once(process, 'message')
  const state = await provision(work)
  await asked
  process.send?.({ state }, () => process.disconnect())
})
process.send?.('ready')
