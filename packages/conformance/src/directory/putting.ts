import assert from 'node:assert/strict'
import { ANN, BOB, type Check } from './check.ts'

/** Imports and repairs. */
export function putting(check: Check): void {
  check('puts a key, and again for the same id changes nothing', async (directory) => {
    await directory.put('ann@example.com', ANN)
    const entry = await directory.lookup('ann@example.com')
    assert.equal(entry?.id, ANN)
    await directory.put('ANN@example.com', ANN)
    await directory.put('ANN@example.com', ANN, { force: true })
    assert.deepEqual(await directory.lookup('ann@example.com'), entry)
  })

  check("refuses another id's key, and names the owner", async (directory) => {
    await directory.put('ann@example.com', ANN)
    await assert.rejects(directory.put('ann@example.com', BOB), { code: 'KEY_TAKEN', id: ANN })
    assert.equal(await directory.resolve('ann@example.com'), ANN)
  })

  check('takes the key when forced', async (directory) => {
    const { version } = await directory.claim('ann@example.com', ANN, { token: 'sign-up 1' })
    await directory.put('ann@example.com', BOB, { force: true })
    await directory.put('new@example.com', BOB, { force: true })
    assert.deepEqual(await directory.keysOf(BOB), ['ann@example.com', 'new@example.com'])
    assert.equal(await directory.release('ann@example.com', ANN, version), false)
    assert.equal((await directory.claim('ann@example.com', ANN, { token: 'sign-up 1' })).won, false)
  })

  check('of forced rivals one stays on file, and nobody fails', async (directory) => {
    const ids = [1n, 2n, 3n, 4n, 5n, 6n]
    await Promise.all(ids.map((id) => directory.put('ann@example.com', id, { force: true })))
    assert.ok(ids.includes((await directory.resolve('ann@example.com')) ?? 0n))
    assert.equal((await directory.list()).length, 1)
  })
}
