import assert from 'node:assert/strict'
import { ANN, BOB, type Check } from './check.ts'

/** Who gets a key. */
export function claiming(check: Check): void {
  check('the loser gets the id on file', async (directory) => {
    const { version } = await directory.claim('ann@example.com', ANN)
    const lost = await directory.claim('ANN@example.com', BOB)
    assert.deepEqual(lost, { id: ANN, won: false, state: 'confirmed', version })
    assert.equal(await directory.resolve('ann@example.com'), ANN)
  })

  check('a retry with the same id and token wins again', async (directory) => {
    const first = await directory.claim('ann@example.com', ANN, { token: 'sign-up 1' })
    assert.deepEqual(await directory.claim('ann@example.com', ANN, { token: 'sign-up 1' }), first)
    assert.deepEqual([first.won, first.token], [true, 'sign-up 1'])
  })

  check('the same id with another token, or another id with the same token, loses', async (directory) => {
    await directory.claim('ann@example.com', ANN, { token: 'sign-up 1' })
    for (const [id, token] of [
      [ANN, 'sign-up 2'],
      [ANN, undefined],
      [BOB, 'sign-up 1'],
    ] as const) {
      const { id: owner, won } = await directory.claim('ann@example.com', id, { token })
      assert.deepEqual([owner, won], [ANN, false])
    }
  })

  check('of 50 racers on one key one wins, and each sees its id', async (directory, host) => {
    const rival = host.directory()
    const claims = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        (i % 2 === 0 ? directory : rival).claim('ann@example.com', BigInt(i + 1)),
      ),
    )
    const winners = claims.filter(({ won }) => won)
    assert.equal(winners.length, 1)
    const owner = await directory.resolve('ann@example.com')
    assert.ok(claims.every(({ id }) => id === owner && id === winners[0]?.id))
  })

  check('racers that also release never share a key', async (directory) => {
    const owners = new Set<bigint>()
    const race = async (id: bigint): Promise<void> => {
      for (let round = 0; round < 20; round++) {
        const { won, version } = await directory.claim('ann@example.com', id)
        if (!won) continue
        owners.add(id)
        assert.equal(owners.size, 1)
        await Promise.resolve()
        owners.delete(id)
        assert.equal(await directory.release('ann@example.com', id, version), true)
      }
    }
    await Promise.all([1n, 2n, 3n, 4n, 5n].map(race))
    assert.equal(await directory.resolve('ann@example.com'), null)
  })
}
