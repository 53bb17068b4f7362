import type { ShardRecord, ShardStatus } from '@shard/registry'
import { statuses } from '@shard/registry'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fillFirst, type Policy, regionAffine } from '../src/policy.ts'
import { firstStandby, nextPromotion, type PromotionAsk } from '../src/promotion.ts'
import { record } from './shard-record.ts'

function ask(fields: { policy?: Policy; region?: string; down?: readonly number[] } = {}): PromotionAsk {
  const { policy = fillFirst, region = null, down = [] } = fields
  return {
    policy,
    request: { region, random: () => 0 },
    isReachable: ({ id }) => !down.includes(id),
  }
}

const full = { sizeBytes: 50n }

/** What is promoted: [sealed, promoted, beside]. */
function promoted(shards: readonly ShardRecord[], fields?: Parameters<typeof ask>[0]) {
  const promotion = nextPromotion(shards, ask(fields))
  return promotion && [promotion.full?.id ?? null, promotion.standby.id, promotion.beside]
}

test('a full shard gives way to the lowest standby', () => {
  const shards = [
    record(1, 'active', full),
    record(2, 'disabled'),
    record(3, 'standby'),
    record(4, 'standby'),
  ]
  expect(promoted(shards)).toEqual([1, 3, false])
})

test('without an active shard the lowest standby begins', () => {
  expect(promoted([record(1, 'sealed'), record(2, 'standby')])).toEqual([null, 2, false])
})

test('nothing is sealed by an estimate: an active shard that is not full by measure stays', () => {
  const shards = [record(1, 'active', { sizeBytes: 49n, reservedKeys: 1_000n }), record(2, 'standby')]
  expect(promoted(shards)).toBeNull()
})

test('a standby with an older schema than an active shard, or without room, is passed over', () => {
  const shards = [
    record(1, 'active', { schemaVersion: 3n }),
    record(2, 'standby', { schemaVersion: 2n }),
    record(3, 'standby', { schemaVersion: 3n, sizeBytes: 50n }),
    record(4, 'standby', { schemaVersion: 4n }),
  ]
  expect(firstStandby(shards, ask())?.id).toBe(4)
  expect(firstStandby(shards.slice(0, 3), ask())).toBeNull()
})

describe('out of reach', () => {
  test('beside an active shard that cannot be reached the lowest standby that can begins', () => {
    const shards = [record(1, 'active'), record(2, 'standby'), record(3, 'standby')]
    expect(promoted(shards, { down: [1] })).toEqual([null, 2, true])
    expect(promoted(shards, { down: [1, 2] })).toEqual([null, 3, true])
    expect(promoted(shards, { down: [1, 2, 3] })).toBeNull()
    expect(promoted([...shards, record(4, 'active')], { down: [1] })).toBeNull()
    expect(nextPromotion(shards, ask({ down: [1] }))?.reason).toBe('cannot be reached: shard 1')
  })

  test('one that was measured full is sealed, reached or not', () => {
    expect(promoted([record(1, 'active', full), record(2, 'standby')], { down: [1] })).toEqual([1, 2, false])
  })
})

describe('regions', () => {
  const shards = [
    record(1, 'active', { region: 'us' }),
    record(2, 'active', { region: 'eu', ...full }),
    record(3, 'standby', { region: 'us' }),
    record(4, 'standby', { region: 'eu' }),
  ]

  test('a standby of the region that is asked for comes first', () => {
    const filled = [record(1, 'active', { region: 'us', ...full }), ...shards.slice(1)]
    expect(promoted(filled, { region: 'eu' })).toEqual([1, 4, false])
    expect(promoted(filled)).toEqual([1, 3, false])
  })

  test('strictly, each region has its own succession, and begins beside the others', () => {
    const policy = regionAffine(fillFirst, { strict: true })
    expect(promoted(shards, { policy, region: 'eu' })).toEqual([2, 4, false])
    expect(promoted(shards, { policy, region: 'us' })).toBeNull()
    expect(promoted(shards.slice(0, 3), { policy, region: 'eu' })).toBeNull()
    const news = [record(1, 'active', { region: 'us' }), record(4, 'standby', { region: 'eu' })]
    expect(promoted(news, { policy, region: 'eu' })).toEqual([null, 4, true])
  })
})

test('only a full active shard is sealed and only a standby promoted, whatever the fleet', () => {
  const shard = fc.record({
    status: fc.constantFrom<ShardStatus>(...statuses),
    sizeBytes: fc.bigInt({ min: 0n, max: 100n }),
    schemaVersion: fc.bigInt({ min: 0n, max: 2n }),
  })
  fc.assert(
    fc.property(fc.array(shard, { maxLength: 8 }), fc.array(fc.nat(7)), (fleet, down) => {
      const shards = fleet.map(({ status, ...fields }, id) => record(id, status, fields))
      const promotion = nextPromotion(shards, ask({ down }))
      if (promotion === null) return
      const active = shards.filter(({ status }) => status === 'active')
      const { full: sealed, standby, beside } = promotion
      expect(standby.status).toBe('standby')
      expect(down).not.toContain(standby.id)
      if (sealed) expect([sealed.status, sealed.sizeBytes >= 50n]).toEqual(['active', true])
      else if (beside) expect(active.every(({ id }) => down.includes(id))).toBe(true)
      else expect(active).toEqual([])
    }),
  )
})
