import assert from 'node:assert/strict'
import { exactKey, hashedKeys, type NormaliserVersion, renormalise, usernameKey } from '@shard/directory'
import { ANN, BOB, type Check } from './check.ts'

const older: NormaliserVersion = { version: 1, fold: exactKey }
const newer: NormaliserVersion = { version: 2, fold: usernameKey }

/** The steps from one normaliser to the next. */
const before = { normaliser: [older] }
const known = { normaliser: [older, newer] }
const primary = { normaliser: [newer, older] }
const after = { normaliser: [newer] }

/** From one normaliser to the next while everybody goes on working. */
export function respelling(check: Check): void {
  check('a claim takes a key under every live spelling, or under none', async (_directory, host) => {
    for (const options of [known, primary]) {
      const both = host.directory({ ...options, namespace: String(options === known) })
      const [first, last] = [before, after].map((one) =>
        host.directory({ ...one, namespace: String(options === known) }),
      )
      const { version } = await both.claim('Ann', ANN)
      assert.deepEqual(await both.keysOf(ANN), ['Ann', 'ann'])
      for (const directory of [first, both, last]) assert.equal(await directory?.resolve('Ann'), ANN)
      assert.equal((await both.lookup('Ann'))?.version, version)
      assert.equal((await first?.claim('Ann', BOB))?.id, ANN)
      assert.equal((await last?.claim('ANN', BOB))?.id, ANN)
      await last?.claim('bob', BOB)
      const refused = both.claim('BOB', ANN)
      if (options === known)
        await assert.rejects(refused, { code: 'KEY_TAKEN', id: BOB, outcome: 'not-applied' })
      else assert.deepEqual([(await refused).id, (await refused).won], [BOB, false])
      assert.equal(await first?.resolve('BOB'), null)
      assert.deepEqual(await both.keysOf(ANN), ['Ann', 'ann'])
    }
  })

  check('whose a key is, is said by the primary normaliser and those before it', async (_directory, host) => {
    await host.directory(known).claim('Ann', ANN)
    for (const [options, owner] of [
      [known, null],
      [primary, ANN],
    ] as const) {
      const both = host.directory(options)
      assert.equal(await both.resolve('ANN'), owner)
      assert.equal((await both.lookup('ANN'))?.id ?? null, owner)
      const found = await both.resolveMany(['Ann', 'ANN', 'eve'])
      assert.deepEqual([...found.values()], [ANN, owner, null])
      assert.equal(await both.release('ANN', BOB), false)
    }
    const locked = { code: 'KEY_TAKEN', id: ANN }
    for (const force of [false, true])
      await assert.rejects(host.directory(known).put('ANN', BOB, { force }), locked)
    await host.directory(known).claim('Bob', BOB, { ttlMs: 60_000 })
    await assert.rejects(host.directory(known).claim('BOB', ANN), { code: 'CLAIM_PENDING', retryable: true })
  })

  check('all spellings of a claim end together, whoever ends it', async (_directory, host) => {
    const [first, both] = [host.directory(before), host.directory(primary)]
    await both.claim('Ann', ANN, { token: 't1', ttlMs: 60_000 })
    assert.equal(await first.confirm('Ann', 't1'), true)
    assert.equal(await both.resolve('ANN'), ANN)
    assert.equal(await first.move('Ann', ANN, BOB), true)
    assert.deepEqual(await both.keysOf(BOB), ['Ann', 'ann'])
    assert.deepEqual(await both.keysOf(ANN), [])
    await both.put('Ann', ANN, { force: true })
    assert.deepEqual(await both.keysOf(ANN), ['Ann', 'ann'])
    assert.equal(await both.move('Ann', ANN, BOB), true)
    assert.equal(await first.release('Ann', BOB), true)
    assert.deepEqual(await both.list(), [])
  })

  check('a claim that is repeated with one more normaliser is one claim', async (_directory, host) => {
    const made = await host.directory(before).claim('Ann', ANN, { token: 't1', ttlMs: 60_000 })
    const both = host.directory(primary)
    const again = await both.claim('Ann', ANN, { token: 't1', ttlMs: 60_000 })
    const { version, expiresAtMs } = made
    assert.deepEqual([again.won, again.version, again.expiresAtMs], [true, version, expiresAtMs])
    assert.equal(await host.directory(before).confirm('Ann', 't1'), true)
    assert.equal(await both.resolve('ANN'), ANN)
    assert.equal(await both.release('ANN', ANN, version), true)
    assert.deepEqual(await both.list(), [])
  })

  check(
    'a key that only the older normaliser has spelled gets its new spelling when it is presented',
    async (_directory, host) => {
      const { version } = await host.directory(before).claim('Ann', ANN)
      assert.equal(await host.directory(known).resolve('Ann'), ANN)
      assert.equal(await host.directory(primary).resolve('ANN'), null)
      assert.equal(await host.directory(primary).resolve('Ann'), ANN)
      const rows = (await host.directory(after).list()).map((entry) => [
        entry.key,
        entry.normaliser,
        entry.version,
      ])
      assert.deepEqual(rows, [
        ['Ann', 1, version],
        ['ann', 2, version],
      ])
      assert.equal(await host.directory(after).resolve('ANN'), ANN)
      assert.equal(await host.directory(primary).release('ANN', ANN, version), true)
      assert.deepEqual(await host.directory(after).list(), [])
    },
  )

  check('while both are live the older owner keeps what becomes one key', async (_directory, host) => {
    await host.directory(before).claim('Ann', ANN)
    await host.directory(before).claim('ann', BOB)
    for (const options of [known, primary]) {
      const both = host.directory(options)
      assert.deepEqual([await both.resolve('Ann'), await both.resolve('ann')], [ANN, BOB])
      assert.deepEqual([...(await both.resolveMany(['Ann', 'ann'])).values()], [ANN, BOB])
    }
  })

  check(
    'renormalise is a dry run first, names collisions, and touches none of them',
    async (_directory, host) => {
      for (const [i, key] of ['Ann', 'ann', 'Bob', 'eve', 'Zoe'].entries())
        await host.directory(before).claim(key, BigInt(i + 1))
      await host.directory(known).claim('Max', 6n)
      const directory = host.directory(primary)
      const stored = await directory.list()
      const collisions = [{ key: 'Ann', id: 1n, spelling: 'ann', rivalId: 2n }]
      const none = { waiting: 0, unknown: 0, gone: 0 }
      const planned = { ...none, current: 3, respelled: 2, redundant: 1, collisions }
      assert.deepEqual(await renormalise({ directory }), planned)
      assert.deepEqual(await directory.list(), stored)
      let told = 0
      await renormalise({ directory, dryRun: false, onProgress: () => void told++ })
      assert.ok(told > 0)
      const shown = async (): Promise<unknown[]> =>
        (await directory.list()).map(({ key, normaliser, id }) => `${key} ${normaliser} ${id}`)
      const old = ['Ann 1 1', 'Bob 1 3', 'Max 1 6', 'Zoe 1 5']
      const current = ['ann 2 2', 'bob 2 3', 'eve 2 4', 'max 2 6', 'zoe 2 5']
      assert.deepEqual(await shown(), [...old, ...current])
      assert.equal(await directory.move('Ann', 1n, 2n), true)
      const again = await renormalise({ directory, dryRun: false })
      assert.deepEqual(again, { ...none, current: 5, respelled: 0, redundant: 4, collisions: [] })
      const last = host.directory(after)
      assert.deepEqual(await renormalise({ directory: last, dryRun: false }), again)
      assert.deepEqual(await shown(), current)
      assert.deepEqual(await renormalise({ directory: last }), { ...again, redundant: 0 })
    },
  )

  check('what no live normaliser has made stays as it is', async (_directory, host) => {
    await host.directory({ normaliser: [{ version: 1, fold: exactKey }] }).claim('Ann', ANN)
    const directory = host.directory({ normaliser: [{ version: 7, fold: usernameKey }] })
    assert.deepEqual(await directory.respell('Ann', { dryRun: false }), { result: 'unknown' })
    assert.deepEqual(await directory.respell('bob'), { result: 'gone' })
    const rows = (await directory.list()).map(({ key, normaliser }) => [key, normaliser])
    assert.deepEqual(rows, [['Ann', 1]])
  })

  check(
    'hashed keys are found, and get their new spelling when they are presented',
    async (_directory, host) => {
      const hashed = (version: number): NormaliserVersion => ({
        version,
        fold: hashedKeys({ secret: new Uint8Array(32).fill(version), keyId: `k${version}` }),
      })
      const first = host.directory({ normaliser: [hashed(1)] })
      await first.claim('Ann@Example.com', ANN)
      await first.claim('bob@example.com', BOB)
      const [stored = ''] = await first.keysOf(ANN)
      assert.match(stored, /^k1:[\w-]{43}$/)
      assert.equal(await first.resolve('ann@example.com'), ANN)
      assert.equal(await first.resolve(stored), null)
      const both = host.directory({ normaliser: [hashed(2), hashed(1)] })
      assert.equal((await renormalise({ directory: both, dryRun: false })).waiting, 2)
      assert.equal((await both.claim('ann@example.com', BOB)).id, ANN)
      assert.equal(await both.resolve('ANN@example.com'), ANN)
      assert.match((await both.keysOf(ANN)).join(), /^k1:[\w-]{43},k2:[\w-]{43}$/)
      const last = host.directory({ normaliser: [hashed(2)] })
      assert.equal(await last.resolve('ann@example.com'), ANN)
      assert.equal(await last.resolve('bob@example.com'), null)
      assert.equal(await both.resolve('bob@example.com'), BOB)
      const { redundant, unknown } = await renormalise({ directory: last, dryRun: false })
      assert.deepEqual([redundant, unknown], [2, 0])
      assert.match((await last.list()).map(({ key }) => key).join(), /^k2:[\w-]{43},k2:[\w-]{43}$/)
      assert.equal(await last.resolve('BOB@example.com'), BOB)
    },
  )
}
