import { IdAllocator, ShardCodec, ShardingSettings } from '@shard/core'
import { memoryRegistry, type ShardRecord, type ShardRegistry } from '@shard/registry'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Placer } from '../src/placer.ts'
import { registryWith } from './registry-with.ts'

const settings = ShardingSettings.encoded('users', ShardCodec.default)
const SHARDS = 6
/** Keys after which a shard is full; each key is one byte. */
const ROOM = 4n

/** A registry whose every call takes its turn when the scheduler says so. */
function scheduled(registry: ShardRegistry, s: fc.Scheduler): ShardRegistry {
  const turns = (['list', 'get', 'reserve', 'swapActive', 'transition'] as const).map((name) => {
    const method = registry[name].bind(registry) as (...args: unknown[]) => Promise<unknown>
    return [name, s.scheduleFunction(method)]
  })
  return registryWith(registry, Object.fromEntries(turns))
}

test('placers in any interleaving: one promotion a fill, always one active shard, no error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 4 }), async (s, placers) => {
      const registry = memoryRegistry({ family: 'users' })
      for (let id = 1; id <= SHARDS; id++)
        await registry.register({ id, name: `${id}`, status: 'standby', maxBytes: ROOM, admitThreshold: 1 })
      const sizes = new Map<number, bigint>()
      const ids = new Set<bigint>()
      const allocator = new IdAllocator()

      const worker = async (): Promise<void> => {
        const placer = new Placer({ registry: scheduled(registry, s), allocator, settings, cacheTtlMs: 0 })
        for (let i = 0; i < 4; i++) {
          const { shard, id } = await placer.place()
          ids.add(id)
          const size = (sizes.get(shard) ?? 0n) + 1n
          sizes.set(shard, size)
          await registry.measure(shard, size)
          expect(activeOf(await registry.list())).toHaveLength(1)
        }
      }
      await s.waitFor(Promise.all(Array.from({ length: placers }, worker)))

      expect(ids.size).toBe(placers * 4)
      const shards = await registry.list()
      const sealed = shards.filter(({ status }) => status === 'sealed')
      const [active] = activeOf(shards)
      // Shards were taken in order: each sealed one was full, and names the next as its successor.
      expect(sealed.map(({ id, successorId }) => [id, successorId])).toEqual(
        sealed.map(({ id }) => [id, id + 1]),
      )
      expect(active?.id).toBe(sealed.length + 1)
      for (const { sizeBytes } of sealed) expect(sizeBytes).toBeGreaterThanOrEqual(ROOM)
      // Each placer can have seen the room that another took, once.
      for (const size of sizes.values()) expect(size).toBeLessThan(ROOM + BigInt(placers))
      for (const { id } of sealed)
        expect((await registry.history(id)).map(({ to }) => to)).toEqual(['standby', 'active', 'sealed'])
    }),
    { numRuns: 200 },
  )
})

function activeOf(shards: readonly ShardRecord[]): ShardRecord[] {
  return shards.filter(({ status }) => status === 'active')
}
