import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  acceptsAdmission,
  fillRatio,
  isAdmissible,
  isFull,
  isReadable,
  isWritable,
  legalTransitions,
  liveShards,
  type ShardStatus,
  statuses,
  statusFields,
} from '../src/shard.ts'

const bytes = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })
const limit = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n })
const ratio = fc.double({ min: Number.MIN_VALUE, max: 1, noNaN: true })

describe('legal transitions', () => {
  const reachable = (from: ShardStatus, seen = new Set<ShardStatus>()): Set<ShardStatus> => {
    for (const to of legalTransitions[from]) if (!seen.has(to)) reachable(to, seen.add(to))
    return seen
  }

  test('every status has its line, none follows itself, and nothing follows retired', () => {
    expect(Object.keys(legalTransitions).sort()).toEqual([...statuses].sort())
    for (const status of statuses) expect(legalTransitions[status]).not.toContain(status)
    expect(legalTransitions.retired).toEqual([])
  })

  test('every life can end, and none begins again', () => {
    for (const status of statuses) {
      if (status !== 'retired') expect(reachable(status)).toContain('retired')
      expect(reachable(status)).not.toContain('provisioning')
    }
  })

  test('a sealed shard admits again only by way of disabled', () => {
    expect(legalTransitions.sealed).toEqual(['disabled', 'retired'])
    expect(legalTransitions.active).not.toContain('standby')
  })
})

describe('predicates on a status', () => {
  test.each([
    ['provisioning', { admits: false, writes: false, reads: false }],
    ['standby', { admits: false, writes: false, reads: true }],
    ['active', { admits: true, writes: true, reads: true }],
    ['sealed', { admits: false, writes: true, reads: true }],
    ['disabled', { admits: false, writes: false, reads: false }],
    ['retired', { admits: false, writes: false, reads: false }],
    ['a status of a later version', { admits: false, writes: false, reads: false }],
  ])('%s', (status, expected) => {
    const shard = { status }
    expect({ admits: isAdmissible(shard), writes: isWritable(shard), reads: isReadable(shard) }).toEqual(
      expected,
    )
  })

  test('live shards are those to be read, in the order given', () => {
    const shards = [...statuses, 'frozen'].map((status, id) => ({ id, status }))
    expect(liveShards(shards.reverse())).toEqual([3, 2, 1])
  })
})

describe('fill', () => {
  test('an unlimited shard is never full', () => {
    fc.assert(
      fc.property(bytes, ratio, (sizeBytes, admitThreshold) => {
        const shard = { sizeBytes, maxBytes: null, admitThreshold, status: 'active' }
        expect([fillRatio(shard), isFull(shard), acceptsAdmission(shard)]).toEqual([0, false, true])
      }),
    )
  })

  test('an active shard admits or is full, never both; what is on its way only counts against it', () => {
    fc.assert(
      fc.property(bytes, limit, ratio, bytes, (sizeBytes, maxBytes, admitThreshold, pendingBytes) => {
        const shard = { sizeBytes, maxBytes, admitThreshold, status: 'active' }
        expect(acceptsAdmission(shard)).toBe(!isFull(shard))
        if (acceptsAdmission(shard, { pendingBytes })) expect(acceptsAdmission(shard)).toBe(true)
      }),
    )
  })

  test('it is full at its threshold, not only above', () => {
    const shard = { sizeBytes: 49n, maxBytes: 100n, admitThreshold: 0.5, status: 'active' }
    expect(acceptsAdmission(shard)).toBe(true)
    expect(acceptsAdmission(shard, { pendingBytes: 1n })).toBe(false)
    expect(acceptsAdmission({ ...shard, sizeBytes: 50n })).toBe(false)
    expect(acceptsAdmission({ ...shard, sizeBytes: 50n }, { threshold: 0.9 })).toBe(true)
  })

  test('only an active shard admits', () => {
    const admitting = statuses.filter((status) =>
      acceptsAdmission({ status, sizeBytes: 0n, maxBytes: 1n, admitThreshold: 1 }),
    )
    expect(admitting).toEqual(['active'])
  })
})

test('sealing sets an instant, admission clears it, other changes leave it', () => {
  expect(statuses.map((status) => [status, statusFields(status, 5).sealedAtMs])).toEqual([
    ['provisioning', undefined],
    ['standby', null],
    ['active', null],
    ['sealed', 5],
    ['disabled', undefined],
    ['retired', undefined],
  ])
})
