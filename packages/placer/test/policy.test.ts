import type { ShardRecord, ShardStatus } from '@shard/registry'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fillFirst, firstStandby, nextPromotion } from '../src/policy.ts'

const nothing = (): bigint => 0n

function record(id: number, status: ShardStatus, fields: Partial<ShardRecord> = {}): ShardRecord {
  return {
    family: 'users',
    id,
    name: `users_shard_${id}`,
    databaseId: null,
    region: null,
    status,
    sizeBytes: 0n,
    fileBytes: null,
    maxBytes: 100n,
    admitThreshold: 0.5,
    hardThreshold: 0.9,
    schemaVersion: 0n,
    successorId: null,
    createdAtMs: 0,
    sealedAtMs: null,
    lastSizeCheckAtMs: null,
    sizeError: null,
    version: 1n,
    ...fields,
  }
}

describe('fill-first', () => {
  test('the first active shard below its threshold, whatever the others hold', () => {
    const shards = [
      record(0, 'sealed'),
      record(1, 'active', { sizeBytes: 50n }),
      record(2, 'active', { sizeBytes: 49n }),
      record(3, 'active'),
      record(4, 'standby'),
    ]
    expect(fillFirst(shards, 'admit', nothing)?.id).toBe(2)
    expect(fillFirst(shards, 'hard', nothing)?.id).toBe(1)
    expect(fillFirst(shards, 'admit', ({ id }) => (id === 2 ? 1n : 0n))?.id).toBe(3)
    expect(fillFirst([], 'admit', nothing)).toBeNull()
  })

  test('a hard threshold below the other has no effect', () => {
    const shards = [record(1, 'active', { sizeBytes: 40n, hardThreshold: 0.1 })]
    expect(fillFirst(shards, 'hard', nothing)?.id).toBe(1)
    expect(
      fillFirst([record(1, 'active', { sizeBytes: 50n, hardThreshold: 0.1 })], 'hard', nothing),
    ).toBeNull()
  })

  test('at the hard threshold nothing is admitted', () => {
    expect(fillFirst([record(1, 'active', { sizeBytes: 90n })], 'hard', nothing)).toBeNull()
  })
})

describe('the next promotion', () => {
  test('a full shard gives way to the lowest standby', () => {
    const shards = [
      record(1, 'active', { sizeBytes: 50n }),
      record(2, 'disabled'),
      record(3, 'standby'),
      record(4, 'standby'),
    ]
    const promotion = nextPromotion(shards)
    expect([promotion?.full?.id, promotion?.standby.id]).toEqual([1, 3])
  })

  test('without an active shard the lowest standby begins', () => {
    const promotion = nextPromotion([record(1, 'sealed'), record(2, 'standby')])
    expect([promotion?.full, promotion?.standby.id]).toEqual([null, 2])
  })

  test('nothing is sealed by an estimate: an active shard that is not full by measure stays', () => {
    expect(nextPromotion([record(1, 'active', { sizeBytes: 49n }), record(2, 'standby')])).toBeNull()
  })

  test('a standby with an older schema than an active shard, or without room, is passed over', () => {
    const shards = [
      record(1, 'active', { schemaVersion: 3n }),
      record(2, 'standby', { schemaVersion: 2n }),
      record(3, 'standby', { schemaVersion: 3n, sizeBytes: 50n }),
      record(4, 'standby', { schemaVersion: 4n }),
    ]
    expect(firstStandby(shards)?.id).toBe(4)
    expect(firstStandby(shards.slice(0, 3))).toBeNull()
  })

  test('only a full active shard is sealed and only a standby promoted, whatever the fleet', () => {
    const shard = fc.record({
      status: fc.constantFrom<ShardStatus>(
        'provisioning',
        'standby',
        'active',
        'sealed',
        'disabled',
        'retired',
      ),
      sizeBytes: fc.bigInt({ min: 0n, max: 100n }),
      schemaVersion: fc.bigInt({ min: 0n, max: 2n }),
    })
    fc.assert(
      fc.property(fc.array(shard, { maxLength: 8 }), (fleet) => {
        const shards = fleet.map(({ status, ...fields }, id) => record(id, status, fields))
        const promotion = nextPromotion(shards)
        const active = shards.filter(({ status }) => status === 'active')
        if (promotion === null) return
        const { full, standby } = promotion
        expect(standby.status).toBe('standby')
        if (full === null) expect(active).toEqual([])
        else expect([full.status, full.sizeBytes >= 50n]).toEqual(['active', true])
      }),
    )
  })
})
