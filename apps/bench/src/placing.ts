import { ShardCodec, ShardingSettings } from '@shard/core'
import { type IdSource, leastFilled, Placer, type PlacerOptions, weighted } from '@shard/placer'
import { memoryRegistry, type ShardRegistry } from '@shard/registry'
import type { Comparison, Contestant } from './side-by-side.ts'

const BATCH = 50_000

/** An allocator that costs nothing, so that what is measured is the decision. */
const allocator: IdSource = { wait: () => minted }
const minted = Promise.resolve(1n)

/** Deciding where a key goes, by a view that is fresh and a quota that is not used up. */
export async function placing(): Promise<Comparison[]> {
  return [
    {
      title:
        'place(), decisions by the quota (1,000 ns/op are 1 M a second); queries are counted over all rounds',
      batch: BATCH,
      rounds: 30,
      contestants: [
        { name: 'an awaited call that does nothing', run: nothing },
        await placer('fill-first, 4 active shards', 4),
        await placer('fill-first, 4 active shards, a signal', 4, {}, new AbortController().signal),
        await placer('least-filled, 4 active shards', 4, { policy: leastFilled }),
        await placer('weighted, 4 active shards', 4, { policy: weighted() }),
      ],
    },
  ]
}

async function nothing(batch: number): Promise<void> {
  const call = async (): Promise<bigint> => minted
  for (let i = 0; i < batch; i++) await call()
}

async function placer(
  name: string,
  shards: number,
  options: Partial<PlacerOptions> = {},
  signal?: AbortSignal,
): Promise<Contestant> {
  const real = memoryRegistry({ family: 'users' })
  for (let id = 1; id <= shards; id++)
    await real.register({ id, name: `${id}`, status: 'active', maxBytes: 2n ** 40n })
  let queries = 0
  const registry = new Proxy(real, {
    get(target, method: keyof ShardRegistry) {
      if (method === 'family') return target.family
      queries++
      return target[method].bind(target)
    },
  })
  const settings = ShardingSettings.encoded('users', ShardCodec.default)
  const placing = new Placer({
    registry,
    allocator,
    settings,
    quota: 1_000_000,
    cacheTtlMs: 3_600_000,
    ...options,
  })
  const call = signal ? { signal } : {}
  let placed = 0
  return {
    name,
    async run(batch) {
      placed += batch
      for (let i = 0; i < batch; i++) await placing.place(call)
    },
    remark: () => `${queries} queries for ${placed} keys`,
  }
}
