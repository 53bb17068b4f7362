import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IdAllocator } from '../src/id-allocator.ts'
import { ShardCodec } from '../src/id-codec.ts'
import type { Layout } from '../src/layout.ts'
import { ManualClock } from './manual-clock.ts'

const anyCodec = fc
  .record({
    shardBits: fc.integer({ min: 1, max: 24 }),
    idBits: fc.constantFrom(53 as const, 64 as const),
    unsigned: fc.boolean(),
  })
  .map(
    ({ shardBits, idBits, unsigned }) =>
      new ShardCodec({ shardBits, idBits, unsigned: unsigned && idBits === 64 }),
  )

/** Minting makes ids of halves, never by BigInt arithmetic; the outcome must be the same to the bit. */
test('what is minted is what the codec composes, one or many, for any codec, shard and instant', () => {
  fc.assert(
    fc.property(
      anyCodec,
      fc.integer({ min: 1, max: 22 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat(70),
      (codec, counterBits, place, instant, more) => {
        const timeBits = Math.min(52, codec.seqBits - counterBits)
        const layout: Layout = { shardBits: 1, timeBits, counterBits, workerBits: 0, epochMs: 0, idBits: 64 }
        const shard = Math.floor(place * codec.maxShard)
        const clock = new ManualClock(1 + Math.floor(instant * (2 ** timeBits - 10)))
        const allocator = new IdAllocator({ layout, clock, maxAheadMs: 100 })
        const first = BigInt(clock.nowMs) << BigInt(counterBits)
        expect(allocator.next(codec, shard)).toBe(codec.compose(shard, first))
        expect(allocator.next(codec, shard)).toBe(codec.compose(shard, first + 1n))
        const count = Math.min(more, 4 * 2 ** counterBits) + 1
        const ids = allocator.nextMany(codec, shard, count)
        ids.forEach((id, i) => {
          expect(id).toBe(codec.compose(shard, first + 2n + BigInt(i)))
        })
        expect(allocator.nextSeq()).toBe(first + 2n + BigInt(count))
        expect(codec.shardOf(ids[0] as bigint)).toBe(shard)
      },
    ),
    { numRuns: 500 },
  )
})
