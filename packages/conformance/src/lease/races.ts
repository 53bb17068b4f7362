import assert from 'node:assert/strict'
import type { Lease } from '@shard/sql'
import { ann, type Check } from './check.ts'

export function races(test: Check): void {
  test('of 16 racers for one lease one wins, round after round, and no epoch comes twice', async (leases, host) => {
    const racers = [leases, host.leases()]
    const epochs = new Set<bigint>()
    for (let round = 0; round < 10; round++) {
      const ends = await Promise.all(
        Array.from({ length: 16 }, (_, i) =>
          racers[i % racers.length]?.acquire('a', { ...ann, owner: `${i}` }),
        ),
      )
      const won = ends.filter((lease): lease is Lease => lease !== null && lease !== undefined)
      assert.equal(won.length, 1, `round ${round}`)
      for (const { epoch } of won) epochs.add(epoch)
      if (round % 2 === 0) await host.expire()
      else await won[0]?.release()
    }
    assert.equal(epochs.size, 10)
  })

  test('a release and 8 racers: at most one wins, and the lease is whole afterwards', async (leases) => {
    for (let round = 0; round < 5; round++) {
      const held = await leases.acquire('a', ann)
      const [released, ...ends] = await Promise.all([
        held?.release(),
        ...Array.from({ length: 8 }, () => leases.acquire('a', ann)),
      ])
      assert.equal(released, true)
      const won = ends.filter((lease) => lease !== null)
      assert.ok(won.length <= 1)
      const record = await leases.read('a')
      assert.equal(record?.isHeld, won.length === 1)
      for (const lease of won) assert.equal(await lease.release(), true)
    }
  })

  test('an extension and a release at once: the lease is free afterwards', async (leases) => {
    const lease = await leases.acquire('a', ann)
    const [, released] = await Promise.all([lease?.extend(), lease?.release()])
    assert.equal(released, true)
    assert.deepEqual([lease?.isHeld, (await leases.read('a'))?.isHeld], [false, false])
  })
}
