import fc from 'fast-check'
import { expect, test } from 'vitest'
import { roomAt } from '../src/room.ts'
import { record } from './shard-record.ts'

test('without a limit or an estimate there is no end of room, below the threshold', () => {
  expect(roomAt(record(1, 'active', { maxBytes: null, sizeBytes: 2n ** 62n }), 'admit', 7)).toBe(
    Number.POSITIVE_INFINITY,
  )
  expect(roomAt(record(1, 'active', { sizeBytes: 49n }), 'admit', 0)).toBe(Number.POSITIVE_INFINITY)
  expect(roomAt(record(1, 'active', { sizeBytes: 50n }), 'admit', 0)).toBe(0)
  expect(roomAt(record(1, 'active', { sizeBytes: 50n }), 'hard', 0)).toBe(Number.POSITIVE_INFINITY)
  expect(roomAt(record(1, 'active', { sizeBytes: 90n }), 'hard', 0)).toBe(0)
})

test('only an active shard has room', () => {
  for (const status of ['provisioning', 'standby', 'sealed', 'disabled', 'retired'] as const)
    expect(roomAt(record(1, status), 'hard', 0)).toBe(0)
})

test('a hard threshold below the other has no effect', () => {
  const shard = record(1, 'active', { sizeBytes: 40n, hardThreshold: 0.1 })
  expect([roomAt(shard, 'admit', 1), roomAt(shard, 'hard', 1)]).toEqual([10, 10])
})

test('the last key that fits begins below the limit, and the next would not', () => {
  const bytes = fc.bigInt({ min: 0n, max: 200n })
  fc.assert(
    fc.property(bytes, bytes, fc.integer({ min: 1, max: 60 }), (sizeBytes, reservedKeys, perKey) => {
      const shard = record(1, 'active', { sizeBytes, reservedKeys })
      const room = roomAt(shard, 'hard', perKey)
      const fillWith = (keys: number): number => Number(sizeBytes) + (Number(reservedKeys) + keys) * perKey
      if (room > 0) expect(fillWith(room - 1)).toBeLessThan(90)
      expect(fillWith(room)).toBeGreaterThanOrEqual(90)
    }),
  )
})
