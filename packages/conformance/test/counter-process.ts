import { appendFileSync } from 'node:fs'
import { isShardError } from '@shard/core'
import { BlockAllocator, type Counter } from '@shard/s3-alloc'
import { type CounterPlace, openPlace } from './counter-places.ts'

// One of several processes that share a counter; counter-processes.test.ts runs it. It says that it is ready, and
// answers each message with one.

/** What a process is to do. */
export type CounterTask =
  | {
      readonly kind: 'increment'
      readonly place: CounterPlace
      readonly name: string
      readonly times: number
    }
  | {
      readonly kind: 'mint'
      readonly place: CounterPlace
      readonly name: string
      readonly blockSize: number
      readonly count: number
      /** Each id is written here before the next is asked for: `first last` of each batch that has no gap. */
      readonly file: string
    }

/** Ids that are asked for at once. */
const BATCH = 250

async function increment(counter: Counter, times: number): Promise<string> {
  for (let done = 0; done < times; ) {
    try {
      const reading = await counter.load()
      if (reading && (await counter.swap(reading.version, reading.value + 1n)) === 'ok') done++
    } catch (error) {
      if (!isShardError(error) || !error.retryable || error.outcome === 'unknown') throw error
    }
  }
  return 'done'
}

async function mint(
  counter: Counter,
  { blockSize, count, file }: CounterTask & { kind: 'mint' },
): Promise<string> {
  const allocator = new BlockAllocator({ counter, blockSize })
  for (let done = 0; done < count; done += BATCH)
    appendFileSync(file, runsOf(await allocator.allocateMany(BATCH)))
  await allocator.close()
  return 'done'
}

/** Ids as lines of the first and the last of each run. */
function runsOf(ids: readonly bigint[]): string {
  const starts = ids.flatMap((id, i) => (i === 0 || ids[i - 1] !== id - 1n ? [i] : []))
  return starts.map((start, i) => `${ids[start]} ${ids[(starts[i + 1] ?? ids.length) - 1]}\n`).join('')
}

process.on('message', async (task: CounterTask) => {
  const { counter, close } = openPlace(task.place)
  const own = counter(task.name)
  const work = task.kind === 'increment' ? increment(own, task.times) : mint(own, task)
  process.send?.(await work.catch((error: unknown) => String(error)))
  await close()
})
process.send?.('ready')
