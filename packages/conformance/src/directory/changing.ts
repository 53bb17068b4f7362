import assert from 'node:assert/strict'
import { ANN, BOB, type Check } from './check.ts'

/** Compare-and-set of what is on file. */
export function changing(check: Check): void {
  check('a key is released by its owner once, and is free then', async (directory) => {
    await directory.claim('ann@example.com', ANN)
    assert.equal(await directory.release('ann@example.com', BOB), false)
    const ends = await Promise.all([1, 2, 3].map(() => directory.release('Ann@example.com', ANN)))
    assert.deepEqual(ends.toSorted(), [false, false, true])
    assert.equal(await directory.resolve('ann@example.com'), null)
    assert.equal((await directory.claim('ann@example.com', BOB)).won, true)
  })

  check('a delayed release or move does not hit a newer claim of the same id', async (directory) => {
    const old = await directory.claim('ann@example.com', ANN)
    assert.equal(await directory.release('ann@example.com', ANN, old.version), true)
    const { version } = await directory.claim('ann@example.com', ANN)
    assert.equal(await directory.release('ann@example.com', ANN, old.version), false)
    assert.equal(await directory.move('ann@example.com', ANN, BOB, old.version), false)
    assert.equal(await directory.move('ann@example.com', ANN, BOB, version), true)
    assert.equal(await directory.resolve('ann@example.com'), BOB)
  })

  check('a key is moved from its expected owner only', async (directory) => {
    await directory.claim('ann@example.com', ANN, { token: 'sign-up 1' })
    assert.equal(await directory.move('ann@example.com', BOB, ANN), false)
    assert.equal(await directory.move('bob@example.com', ANN, BOB), false)
    const ends = await Promise.all([3n, 4n, 5n].map((id) => directory.move('ann@example.com', ANN, id)))
    assert.equal(ends.filter(Boolean).length, 1)
    assert.equal(await directory.resolve('ann@example.com'), [3n, 4n, 5n][ends.indexOf(true)])
    assert.equal((await directory.claim('ann@example.com', ANN, { token: 'sign-up 1' })).won, false)
  })

  check('a move to the same id is a change: its version is new', async (directory) => {
    const { version } = await directory.claim('ann@example.com', ANN)
    assert.equal(await directory.move('ann@example.com', ANN, ANN), true)
    assert.notEqual((await directory.lookup('ann@example.com'))?.version, version)
  })
}
