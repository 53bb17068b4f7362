import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Candidate,
  fillFirst,
  leastFilled,
  type PlacementRequest,
  type Policy,
  regionAffine,
  weighted,
} from '../src/policy.ts'
import { record } from './shard-record.ts'

const anywhere: PlacementRequest = { region: null, random: () => 0 }

function candidate(id: number, fields: Partial<Candidate> & { region?: string; sizeBytes?: bigint } = {}) {
  const { region = null, sizeBytes = 0n, fill = 0, placed = 0 } = fields
  return { shard: record(id, 'active', { region, sizeBytes }), fill, placed }
}

const chosen = (policy: Policy, candidates: readonly Candidate[], request = anywhere): number | undefined =>
  policy.choose(candidates, request)?.shard.id

test('of nothing, nothing is chosen', () => {
  for (const policy of [fillFirst, leastFilled, weighted(), regionAffine(), regionAffine(weighted())])
    expect(chosen(policy, [])).toBeUndefined()
})

test('fill-first takes the first, whatever the others hold', () => {
  expect(chosen(fillFirst, [candidate(3, { fill: 0.4 }), candidate(4)])).toBe(3)
})

test('least-filled takes the emptiest; of equals the one used least, then the first', () => {
  expect(chosen(leastFilled, [candidate(1, { fill: 0.2 }), candidate(2, { fill: 0.1 })])).toBe(2)
  expect(chosen(leastFilled, [candidate(1, { placed: 2 }), candidate(2, { placed: 1 })])).toBe(2)
  expect(chosen(leastFilled, [candidate(1), candidate(2)])).toBe(1)
})

describe('weighted', () => {
  const shares = (policy: Policy, candidates: readonly Candidate[]): number[] => {
    const counts = candidates.map(() => 0)
    for (let i = 0; i < 1_000; i++) {
      const id = chosen(policy, candidates, { region: null, random: () => (i + 0.5) / 1_000 }) as number
      counts[id] = (counts[id] ?? 0) + 1
    }
    return counts
  }

  test('each is as likely as its weight', () => {
    const candidates = [candidate(0), candidate(1), candidate(2)]
    expect(
      shares(
        weighted(({ id }) => [1, 0, 3][id] ?? 0),
        candidates,
      ),
    ).toEqual([250, 0, 750])
  })

  test('unless given, a weight is the bytes that are left', () => {
    expect(shares(weighted(), [candidate(0, { sizeBytes: 20n }), candidate(1, { sizeBytes: 80n })])).toEqual([
      800, 200,
    ])
  })

  test('an unlimited shard weighs as much as the heaviest', () => {
    const unlimited = { ...candidate(1), shard: record(1, 'active', { maxBytes: null }) }
    expect(shares(weighted(), [candidate(0, { sizeBytes: 20n }), unlimited])).toEqual([500, 500])
    expect(shares(weighted(), [{ ...unlimited, shard: { ...unlimited.shard, id: 0 } }])).toEqual([1_000])
  })

  test('one of the candidates is chosen, whatever the weights', () => {
    const weight = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -1, 0))
    fc.assert(
      fc.property(
        fc.array(weight, { minLength: 1, maxLength: 5 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (weights, random) => {
          const candidates = weights.map((_, id) => candidate(id))
          const policy = weighted(({ id }) => weights[id] as number)
          expect(chosen(policy, candidates, { region: null, random: () => random })).toBeDefined()
        },
      ),
    )
  })
})

describe('region-affine', () => {
  const eu = { region: 'eu', random: () => 0 }
  const candidates = [candidate(1, { region: 'us' }), candidate(2, { region: 'eu', fill: 0.2 })]

  test('the shards of the region come first, then any', () => {
    expect(chosen(regionAffine(), candidates, eu)).toBe(2)
    expect(chosen(regionAffine(), candidates)).toBe(1)
    expect(chosen(regionAffine(), candidates, { ...eu, region: 'asia' })).toBe(1)
  })

  test('strictly, none but those of the region', () => {
    const strict = regionAffine(fillFirst, { strict: true })
    expect(chosen(strict, candidates, { ...eu, region: 'asia' })).toBeUndefined()
    expect(chosen(strict, candidates, eu)).toBe(2)
    const served = candidates.map(({ shard }) => strict.serves?.(shard, eu))
    expect(served).toEqual([false, true])
    expect(candidates.map(({ shard }) => regionAffine().serves?.(shard, eu))).toEqual([true, true])
  })

  test('within the region another policy chooses', () => {
    const more = [...candidates, candidate(3, { region: 'eu', fill: 0.1 })]
    expect(chosen(regionAffine(leastFilled), more, eu)).toBe(3)
  })
})
