import assert from 'node:assert/strict'
import { MAX_ID } from '@shard/core'
import { usernameKey } from '@shard/directory'
import { ANN, BOB, type Check } from './check.ts'

/** Reading by key. */
export function resolving(check: Check): void {
  check('an unknown key has no id and no entry', async (directory) => {
    assert.equal(await directory.resolve('ann@example.com'), null)
    assert.equal(await directory.lookup('ann@example.com'), null)
  })

  check('a claimed key has its id and its entry', async (directory) => {
    const { version } = await directory.claim(' Ann@Example.COM ', BOB)
    assert.equal(await directory.resolve('ANN@example.com'), BOB)
    assert.equal(await directory.resolve('ANN@example.com', { fresh: true }), BOB)
    const { updatedAtMs, ...entry } = (await directory.lookup('ann@EXAMPLE.com')) ?? assert.fail()
    const stored = { key: 'ann@example.com', id: BOB, normaliser: 1, expiresAtMs: null }
    assert.deepEqual(entry, { ...stored, state: 'confirmed', version })
    assert.ok(Math.abs(updatedAtMs - Date.now()) < 60_000)
  })

  check('ids of every size come back exactly', async (directory) => {
    const ids = [1n, 2n ** 31n, 2n ** 53n, 2n ** 53n + 1n, 447880780019138560n, MAX_ID]
    for (const id of ids) await directory.claim(`id ${id}`, id)
    const found = await directory.resolveMany(ids.map((id) => `id ${id}`))
    assert.deepEqual([...found.values()], ids)
    for (const id of ids) assert.equal(await directory.resolve(`id ${id}`), id)
  })

  check('many keys resolve under the spellings given, in their order', async (directory) => {
    await directory.claim('ann@example.com', ANN)
    const found = await directory.resolveMany(['bob@example.com', 'Ann@example.com', 'ann@example.com'])
    assert.deepEqual(
      [...found],
      [
        ['bob@example.com', null],
        ['Ann@example.com', ANN],
        ['ann@example.com', ANN],
      ],
    )
  })

  for (const count of [0, 1, 1_000, 1_001, 40_000]) {
    check(`${count} keys resolve in one call`, async (directory) => {
      const spellings = Array.from({ length: count }, (_, i) => `user${i}@example.com`)
      const taken = [0, 999, 1_000, 39_999].filter((i) => i < count)
      for (const i of taken) await directory.claim(`user${i}@example.com`, BigInt(i + 1))
      const found = await directory.resolveMany(spellings)
      assert.equal(found.size, count)
      const owned = [...found].filter(([, id]) => id !== null)
      assert.deepEqual(
        owned,
        taken.map((i) => [`user${i}@example.com`, BigInt(i + 1)]),
      )
    })
  }

  check('namespaces do not see each other', async (directory, host) => {
    const names = host.directory({ namespace: 'names', normaliser: usernameKey })
    await directory.claim('ann', ANN)
    assert.equal(await names.resolve('ann'), null)
    assert.equal((await names.claim('ann', BOB)).won, true)
    assert.equal(await directory.resolve('ann'), ANN)
    assert.deepEqual(await names.keysOf(ANN), [])
    assert.deepEqual(
      (await names.list()).map(({ id }) => id),
      [BOB],
    )
    assert.equal(await names.release('ann', ANN), false)
  })
}
