import { setTimeout as pause } from 'node:timers/promises'
import type { Executor } from '@shard/core'
import type { IdSource } from '@shard/placer'
import { openDatabase } from './fresh-database.ts'
import { placerOn } from './placers.ts'
import { measureStored } from './placing-fleet.ts'

// One of several processes with several placers each, which place keys until they are told to stop;
// placing-model.test.ts runs it, pauses it and kills it. Pauses at random are its purpose.

/** What a process is to do. */
export interface WorkerTask {
  readonly url: string
  /** Sets its ids apart from those of every other process that ever was. */
  readonly process: number
  readonly placers: number
  readonly quota: number
}

/** What it says: that it is ready, after each key, and what went wrong, which ends a placer. */
export type WorkerNews = { readonly ready: true } | { readonly placed: number } | { readonly error: string }

let stopped = false

async function placeKeys(task: WorkerTask, placer: number): Promise<void> {
  const executor = openDatabase(task.url, 2)
  const placing = placerOn(executor, numbered(task.process * 100 + placer), 20 * placer, {
    quota: task.quota,
    estimatedBytesPerKey: 1,
    measure: () => measureStored(executor),
  })
  while (!stopped) {
    try {
      const { id, shard } = await placing.place()
      await pause(Math.random() < 0.1 ? Math.random() * 30 : Math.random() * 3)
      await store(executor, id, shard)
      process.send?.({ placed: 1 })
    } catch (error) {
      process.send?.({ error: `${error} ${(error as Error).cause ?? ''}` })
      break
    }
  }
  await executor.close()
}

async function store(executor: Executor, id: bigint, shard: number): Promise<void> {
  await executor.execute({ sql: `insert into placed (id, shard) values (${id}, ${shard})`, parameters: [] })
}

/** Ids 1, 2, 3, ... above a number of its own. */
function numbered(own: number): IdSource {
  let last = BigInt(own) << 24n
  return { wait: async (codec, shard) => codec.compose(shard, ++last) }
}

// Nobody is left to hear of it, or to end it.
process.once('disconnect', () => process.exit())

process.on('message', async (message: WorkerTask | 'stop') => {
  if (message === 'stop') {
    stopped = true
    return
  }
  await Promise.all(Array.from({ length: message.placers }, (_, placer) => placeKeys(message, placer)))
  process.disconnect()
})
process.send?.({ ready: true })
