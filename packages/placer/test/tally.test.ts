import type { ShardRecord } from '@shard/registry'
import { expect, test } from 'vitest'
import { Tally } from '../src/tally.ts'

const at = (lastSizeCheckAtMs: number | null): ShardRecord => ({ id: 1, lastSizeCheckAtMs }) as ShardRecord

test('keys count until a measurement has surely seen them', () => {
  const tally = new Tally(10)
  const pending = (): bigint => tally.pendingBytes(at(null))
  tally.add(1)
  tally.renew([at(100)])
  tally.add(1)
  expect(pending()).toBe(20n)
  // The same measurement again has seen nothing new.
  tally.renew([at(100)])
  tally.add(1)
  expect(pending()).toBe(30n)
  // A new one was made after the last look, so it has seen the keys before that; the latest, perhaps not.
  tally.renew([at(200)])
  expect(pending()).toBe(10n)
  tally.renew([at(300)])
  expect(pending()).toBe(0n)
})

test('each shard has its own count, and without an estimate nothing is counted', () => {
  const tally = new Tally(10)
  tally.add(2)
  expect(tally.pendingBytes(at(null))).toBe(0n)
  const none = new Tally(0)
  none.add(1)
  expect(none.pendingBytes(at(null))).toBe(0n)
})
