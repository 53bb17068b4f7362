import assert from 'node:assert/strict'
import { exactKey } from '@shard/directory'
import { ANN, BOB, type Check } from './check.ts'

/** Pages, and the keys of an id. */
export function listing(check: Check): void {
  /** In the order of their UTF-8 bytes, which UTF-16 has otherwise for the last two. */
  const ordered = ['10', '9', 'A', 'a', 'a ', 'a b', 'ab', 'ss', 'ß', 'é', '\uFF21', '\u{1F600}']

  check('lists entries page by page in the order of their bytes', async (directory, host) => {
    const exact = host.directory({ namespace: 'exact', normaliser: exactKey })
    await directory.claim('elsewhere', ANN)
    for (const key of ordered.toReversed()) await exact.claim(key, BigInt(ordered.indexOf(key) + 1))
    for (const start of [0, 5, 10]) {
      const page = await exact.list({ limit: 5, after: ordered[start - 1] })
      assert.deepEqual(
        page.map(({ key }) => key),
        ordered.slice(start, start + 5),
      )
    }
    assert.deepEqual(await exact.lookup('ß'), (await exact.list({ after: 'ss', limit: 1 }))[0])
    assert.equal((await exact.list()).length, ordered.length)
  })

  check('the page after the last key is empty', async (directory) => {
    await directory.claim('ann', ANN)
    assert.deepEqual(await directory.list({ after: 'ann' }), [])
    assert.deepEqual(await directory.list({ after: 'zoe' }), [])
  })

  check('lists all keys of an id, and no other', async (directory) => {
    for (const key of ['c', 'a', 'b']) await directory.claim(key, ANN)
    await directory.claim('d', BOB)
    await directory.release('b', ANN)
    await directory.move('d', BOB, ANN)
    assert.deepEqual(await directory.keysOf(ANN), ['a', 'c', 'd'])
    assert.deepEqual(await directory.keysOf(BOB), [])
  })
}
