import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { MAX_ID } from '../src/id.ts'
import { ShardCodec } from '../src/id-codec.ts'
import { hostile } from './hostile.ts'
import { refusal } from './refusal.ts'

interface Vector {
  readonly shardBits: number
  readonly shard: number
  readonly seq: string
  readonly id: string
  readonly asInt64?: string
}

const vectors = JSON.parse(readFileSync(new URL('vectors/codec.json', import.meta.url), 'utf8')) as {
  signed: Vector[]
  unsignedOnly: Vector[]
}

test.each(vectors.signed)('vector: shard $shard of $shardBits bits is id $id', (vector) => {
  const codec = new ShardCodec({ shardBits: vector.shardBits })
  const id = BigInt(vector.id)
  expect(codec.compose(vector.shard, BigInt(vector.seq))).toBe(id)
  expect(codec.shardOf(id)).toBe(vector.shard)
  expect(codec.seqOf(id)).toBe(BigInt(vector.seq))
  expect(codec.locate(id)).toBe(vector.shard)
})

describe.each(vectors.unsignedOnly)(
  'vector: shard $shard of $shardBits bits needs the 64th bit',
  (vector) => {
    const id = BigInt(vector.id)
    test('refused unless asked for, naming the largest shard', () => {
      const codec = new ShardCodec({ shardBits: vector.shardBits })
      const { message } = refusal('INVALID_ARGUMENT', () => codec.compose(vector.shard, BigInt(vector.seq)))
      expect(message).toContain(String(codec.maxShard))
      refusal('INVALID_ARGUMENT', () => codec.shardOf(id))
      refusal('INVALID_ARGUMENT', () => codec.seqOf(id))
    })
    test('round-trips when asked for', () => {
      const codec = new ShardCodec({ shardBits: vector.shardBits, unsigned: true })
      expect(codec.compose(vector.shard, BigInt(vector.seq))).toBe(id)
      expect(codec.shardOf(id)).toBe(vector.shard)
      expect(codec.seqOf(id)).toBe(BigInt(vector.seq))
      expect(BigInt.asIntN(64, id)).toBe(BigInt(vector.asInt64 ?? ''))
    })
  },
)

const codecs = fc
  .record({
    shardBits: fc.integer({ min: 1, max: 24 }),
    idBits: fc.constantFrom(53 as const, 64 as const),
    unsigned: fc.boolean(),
  })
  .map(
    ({ shardBits, idBits, unsigned }) =>
      new ShardCodec({ shardBits, idBits, unsigned: unsigned && idBits === 64 }),
  )

test('every shard and sequence in range round-trips and sorts by shard, then sequence', () => {
  fc.assert(
    fc.property(codecs, fc.infiniteStream(fc.nat()), fc.bigInt(0n, MAX_ID), (codec, nats, bits) => {
      const pick = (): { shard: number; seq: bigint } => ({
        shard: (nats.next().value as number) % (codec.maxShard + 1),
        seq: (bits * BigInt(nats.next().value as number)) % (codec.maxSeq + 1n),
      })
      const [a, b] = [pick(), pick()]
      const [x, y] = [codec.compose(a.shard, a.seq), codec.compose(b.shard, b.seq)]
      expect({ shard: codec.shardOf(x), seq: codec.seqOf(x) }).toEqual(a)
      expect(x <= codec.maxId).toBe(true)
      if (codec.idBits === 53) expect(Number.isSafeInteger(Number(x))).toBe(true)
      if (!codec.unsigned) expect(x <= MAX_ID).toBe(true)
      expect(x < y).toBe(a.shard < b.shard || (a.shard === b.shard && a.seq < b.seq))
    }),
  )
})

test('nothing is masked: one past an end is an error', () => {
  fc.assert(
    fc.property(codecs, (codec) => {
      codec.compose(codec.maxShard, codec.maxSeq)
      refusal('INVALID_ARGUMENT', () => codec.compose(codec.maxShard + 1, 0n))
      refusal('INVALID_ARGUMENT', () => codec.compose(0, codec.maxSeq + 1n))
      refusal('INVALID_ARGUMENT', () => codec.shardOf(codec.maxId + 1n))
    }),
  )
})

test.each([
  { shardBits: 12, maxShard: 2047 },
  { shardBits: 8, maxShard: 127 },
  { shardBits: 16, maxShard: 32767 },
  { shardBits: 1, maxShard: 0 },
  { shardBits: 12, unsigned: true, maxShard: 4095 },
  { shardBits: 8, idBits: 53 as const, maxShard: 255 },
])('the largest shard: %o', ({ maxShard, ...options }) => {
  expect(new ShardCodec(options).maxShard).toBe(maxShard)
})

test('parse reads up to the largest id of its codec', () => {
  const unsigned = new ShardCodec({ unsigned: true })
  expect(unsigned.parse('18446744073709551615')).toBe(2n ** 64n - 1n)
  expect(unsigned.parse(unsigned.maxId)).toBe(2n ** 64n - 1n)
  expect(ShardCodec.default.parse('9223372036854775807')).toBe(MAX_ID)
  const safe = new ShardCodec({ shardBits: 8, idBits: 53 })
  for (const [codec, text] of [
    [unsigned, '18446744073709551616'],
    [ShardCodec.default, '9223372036854775808'],
    [safe, '9007199254740992'],
  ] as const) {
    refusal('INVALID_ARGUMENT', () => codec.parse(text))
    refusal('INVALID_ARGUMENT', () => codec.parse(BigInt(text)))
    for (const value of ['0', 0n, '01', 1, ...hostile])
      refusal('INVALID_ARGUMENT', () => codec.parse(value as string))
  }
})

test('the default has 12 shard bits and signed ids', () => {
  expect(ShardCodec.default).toMatchObject({ shardBits: 12, idBits: 64, unsigned: false, seqBits: 52 })
  expect(ShardCodec.default.maxId).toBe(MAX_ID)
})

describe('hostile input is a typed error', () => {
  test('in the options', () => {
    for (const shardBits of [0, 25, 1.5, '12', 12n, Number.NaN])
      refusal('INVALID_ARGUMENT', () => new ShardCodec({ shardBits: shardBits as number }))
    for (const idBits of [32, 54, '64', 64n])
      refusal('INVALID_ARGUMENT', () => new ShardCodec({ idBits: idBits as 64 }))
    refusal('INVALID_ARGUMENT', () => new ShardCodec({ unsigned: 1 as never }))
    refusal('INVALID_ARGUMENT', () => new ShardCodec({ unsigned: true, idBits: 53 }))
    for (const options of [null, 12, 'x', 5n])
      refusal('INVALID_ARGUMENT', () => new ShardCodec(options as never))
  })
  test('in the methods', () => {
    const codec = ShardCodec.default
    for (const value of hostile) {
      refusal('INVALID_ARGUMENT', () => codec.compose(value as number, 1n))
      refusal('INVALID_ARGUMENT', () => codec.compose(1, value as bigint))
      refusal('INVALID_ARGUMENT', () => codec.shardOf(value as bigint))
      refusal('INVALID_ARGUMENT', () => codec.seqOf(value as bigint))
      refusal('INVALID_ARGUMENT', () => codec.locate(value as bigint))
    }
  })
})

test('ids and sequences are bigint, shards are number', () => {
  expectTypeOf(ShardCodec.default.compose(1, 1n)).toEqualTypeOf<bigint>()
  expectTypeOf(ShardCodec.default.shardOf(1n)).toEqualTypeOf<number>()
  expectTypeOf(ShardCodec.default.maxSeq).toEqualTypeOf<bigint>()
  // @ts-expect-error a sequence is not a number
  refusal('INVALID_ARGUMENT', () => ShardCodec.default.compose(1, 1))
})
