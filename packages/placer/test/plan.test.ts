import { shardDatabaseName } from '@shard/core'
import { type ShardStatus, statuses } from '@shard/registry'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type PlanOptions, planProvision, wasNeverUsed } from '../src/provisioner/plan.ts'
import { checkDatabaseName } from '../src/shard-databases.ts'
import { record } from './shard-record.ts'

const options: PlanOptions = {
  family: 'users',
  keepStandbys: 2,
  firstShard: 1,
  maxShard: 127,
  describe: () => ({}),
}

const planned = (shards: Parameters<typeof planProvision>[0], changed: Partial<PlanOptions> = {}) => {
  const { resume, create } = planProvision(shards, { ...options, ...changed })
  return [resume.map(({ id }) => id), create.map(({ id }) => id)]
}

test('a new family begins with its first number', () => {
  expect(planned([])).toEqual([[], [1, 2]])
  expect(planned([], { firstShard: 0, keepStandbys: 1 })).toEqual([[], [0]])
  expect(planned([], { keepStandbys: 0 })).toEqual([[], []])
})

test('what was begun is finished first, and counts', () => {
  const shards = [record(1, 'active'), record(2, 'provisioning'), record(3, 'standby')]
  expect(planned(shards)).toEqual([[2], []])
  expect(planned(shards, { keepStandbys: 3 })).toEqual([[2], [4]])
  expect(planned(shards, { keepStandbys: 0 })).toEqual([[2], []])
})

test('no number is used twice, whatever became of it', () => {
  const shard = fc.record({ id: fc.nat(120), status: fc.constantFrom<ShardStatus>(...statuses) })
  fc.assert(
    fc.property(fc.uniqueArray(shard, { selector: ({ id }) => id }), fc.nat(6), (fleet, keepStandbys) => {
      const shards = fleet.map(({ id, status }) => record(id, status))
      const [resume = [], create = []] = planned(shards, { keepStandbys })
      const used = new Set(shards.map(({ id }) => id))
      for (const id of create) expect(used.has(id)).toBe(false)
      expect(new Set(create).size).toBe(create.length)
      const standbys = shards.filter(({ status }) => status === 'standby').length
      expect(standbys + resume.length + create.length).toBeGreaterThanOrEqual(keepStandbys)
      if (create.length > 0) expect(standbys + resume.length + create.length).toBe(keepStandbys)
    }),
  )
})

test('when no number is left it is said', () => {
  expect(() => planned([record(126, 'retired')])).toThrow(
    expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
  )
  expect(planned([record(126, 'retired')], { keepStandbys: 1 })).toEqual([[], [127]])
})

test('a shard is named by the family unless the app names it, and its other fields are the app’s', () => {
  const describe = (id: number) => (id === 1 ? { region: 'eu', maxBytes: 5n } : { name: 'own_name' })
  const { create } = planProvision([], { ...options, describe })
  expect(create).toEqual([
    { id: 1, name: 'users_shard_0001', status: 'provisioning', region: 'eu', maxBytes: 5n },
    { id: 2, name: 'own_name', status: 'provisioning' },
  ])
})

describe('names', () => {
  test.each([
    '',
    'A',
    '1a',
    'a-b',
    'a b',
    'a"b',
    'a`b',
    "a'b",
    '../a',
    'a/b',
    'a\0',
    'é',
    'a'.repeat(64),
    7 as never,
    null as never,
  ])('%j is none', (name) => {
    expect(() => checkDatabaseName(name)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }))
    const describe = () => ({ name })
    expect(() => planProvision([], { ...options, describe })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
    )
  })

  test('what the family makes is one', () => {
    const family = fc.stringMatching(/^[a-z][a-z0-9_]{0,47}$/)
    fc.assert(
      fc.property(family, fc.nat(2 ** 24 - 1), (name, shard) => {
        expect(checkDatabaseName(shardDatabaseName(name, shard))).toBe(shardDatabaseName(name, shard))
      }),
    )
  })
})

test('only a shard that went from provisioning to retired was never used', () => {
  const line = (from: ShardStatus | null, to: ShardStatus) => ({
    ...{ shard: 1, version: 1n, by: null, reason: null, atMs: 0 },
    from,
    to,
  })
  const made = line(null, 'provisioning')
  expect(wasNeverUsed([made, line('provisioning', 'retired')])).toBe(true)
  expect(wasNeverUsed([made, line('provisioning', 'provisioning'), line('provisioning', 'retired')])).toBe(
    true,
  )
  expect(wasNeverUsed([])).toBe(false)
  expect(wasNeverUsed([line(null, 'standby'), line('standby', 'retired')])).toBe(false)
  expect(wasNeverUsed([made, line('provisioning', 'standby'), line('standby', 'retired')])).toBe(false)
  expect(wasNeverUsed([line('provisioning', 'retired')])).toBe(false)
})
