import assert from 'node:assert/strict'
import type { Claim, Directory } from '@shard/directory'
import { ANN, BOB, type Check } from './check.ts'

const KEY = 'ann@example.com'
const LONG = 60_000

/** Claims that are made first and confirmed later. */
export function pending(check: Check): void {
  check('a pending claim is hidden from resolve and shown by lookup', async (directory) => {
    const { expiresAtMs, expiresInMs, version, ...claim } = await directory.claim(KEY, ANN, {
      token: 't1',
      ttlMs: LONG,
    })
    assert.deepEqual(claim, { id: ANN, won: true, state: 'pending', token: 't1' })
    assert.ok((expiresInMs ?? 0) > LONG / 2 && (expiresInMs ?? 0) <= LONG)
    assert.equal(await directory.resolve(KEY), null)
    assert.deepEqual(await directory.resolveMany([KEY]), new Map([[KEY, null]]))
    const entry = await directory.lookup(KEY)
    assert.deepEqual([entry?.id, entry?.state, entry?.version], [ANN, 'pending', version])
    assert.equal(entry?.expiresAtMs, expiresAtMs)
    assert.equal((expiresAtMs ?? 0) - (entry?.updatedAtMs ?? 0), LONG)
    assert.deepEqual(await directory.keysOf(ANN), [KEY])
  })

  check('a rival of a pending claim loses to it and learns how long it may last', async (directory) => {
    const { version, expiresAtMs } = await directory.claim(KEY, ANN, { ttlMs: LONG })
    for (const ttlMs of [LONG, undefined]) {
      const { expiresInMs, ...lost } = await directory.claim(KEY, BOB, { ttlMs })
      assert.deepEqual(lost, { id: ANN, won: false, state: 'pending', version, expiresAtMs })
      assert.ok((expiresInMs ?? 0) > 0 && (expiresInMs ?? 0) <= LONG)
    }
    await assert.rejects(directory.put(KEY, BOB), { code: 'KEY_TAKEN', id: ANN })
  })

  check('a claim is confirmed by its token, once or many times', async (directory) => {
    const { version } = await directory.claim(KEY, ANN, { token: 't1', ttlMs: LONG })
    assert.equal(await directory.confirm(KEY, 't2'), false)
    assert.equal(await directory.resolve(KEY), null)
    const ends = await Promise.all([1, 2, 3].map(() => directory.confirm('Ann@example.com', 't1')))
    assert.deepEqual(ends, [true, true, true])
    assert.equal(await directory.resolve(KEY), ANN)
    const entry = await directory.lookup(KEY)
    assert.deepEqual([entry?.state, entry?.expiresAtMs, entry?.version], ['confirmed', null, version])
    const again = await directory.claim(KEY, ANN, { token: 't1', ttlMs: LONG })
    assert.deepEqual([again.won, again.state], [true, 'confirmed'])
    assert.equal(await directory.confirm('bob@example.com', 't1'), false)
  })

  check('a repeated claim keeps the time of the first', async (directory) => {
    const first = await directory.claim(KEY, ANN, { token: 't1', ttlMs: LONG })
    const again = await directory.claim(KEY, ANN, { token: 't1', ttlMs: LONG * 2 })
    assert.deepEqual([again.won, again.expiresAtMs], [true, first.expiresAtMs])
  })

  check(
    'an expired claim is revoked by its challenger, and its account can not follow',
    async (directory, host) => {
      await directory.claim(KEY, ANN, { token: 't1', ttlMs: 1 })
      const won = await challenged(directory, BOB)
      assert.deepEqual([won.id, won.won, won.state], [BOB, true, 'confirmed'])
      assert.equal(await host.fates.settle(ANN, 't1', 'used'), 'revoked')
      assert.equal(await host.fates.read(ANN, 't1'), 'revoked')
      assert.equal(await directory.confirm(KEY, 't1'), false)
      assert.equal(await directory.resolve(KEY), BOB)
    },
  )

  check('an expired claim whose account is there is confirmed for its owner', async (directory, host) => {
    await directory.claim(KEY, ANN, { token: 't1', ttlMs: 1 })
    assert.equal(await host.fates.read(ANN, 't1'), null)
    assert.equal(await host.fates.settle(ANN, 't1', 'used'), 'used')
    const lost = await directory.claim(KEY, BOB)
    assert.deepEqual([lost.id, lost.won, lost.state], [ANN, false, 'confirmed'])
    assert.equal(await directory.resolve(KEY), ANN)
    assert.equal(await directory.confirm(KEY, 't1'), true)
    assert.equal(await host.fates.settle(ANN, 't1', 'revoked'), 'used')
  })

  check('a claim whose account is there need not expire to be confirmed', async (directory, host) => {
    await directory.claim(KEY, ANN, { token: 't1', ttlMs: LONG })
    await host.fates.settle(ANN, 't1', 'used')
    const lost = await directory.claim(KEY, BOB, { ttlMs: LONG })
    assert.deepEqual([lost.id, lost.won, lost.state], [ANN, false, 'confirmed'])
    assert.equal(await directory.resolve(KEY), ANN)
  })

  check('of 20 challengers of an expired claim one wins', async (directory, host) => {
    const rival = host.directory()
    await directory.claim(KEY, ANN, { token: 't1', ttlMs: 1 })
    await settled(directory)
    const ids = Array.from({ length: 20 }, (_, i) => BigInt(i + 1))
    const claims = await Promise.all(ids.map((id) => (id % 2n === 0n ? directory : rival).claim(KEY, id)))
    assert.equal(claims.filter(({ won }) => won).length, 1)
    const owner = await directory.resolve(KEY)
    assert.ok(owner !== ANN && claims.every(({ id }) => id === owner))
  })

  check('settling says how a claim ended', async (directory, host) => {
    const { version } = await directory.claim(KEY, ANN, { token: 't1', ttlMs: LONG })
    assert.equal(await directory.settle(KEY, version), 'open')
    assert.equal(await directory.settle(KEY, version === 1n ? 2n : version - 1n), null)
    assert.equal(await directory.settle('bob@example.com', version), null)
    assert.equal(await directory.release(KEY, ANN, version), true)
    const old = await directory.claim(KEY, ANN, { token: 't2', ttlMs: 1 })
    await host.fates.settle(ANN, 't2', 'used')
    await until(async () => (await directory.settle(KEY, old.version)) !== 'open')
    assert.equal(await directory.settle(KEY, old.version), 'used')
    assert.equal(await directory.resolve(KEY), ANN)
  })

  check('releasing a pending claim revokes it, unless its account is there', async (directory, host) => {
    await directory.claim(KEY, ANN, { token: 't1', ttlMs: LONG })
    assert.equal(await directory.release(KEY, BOB), false)
    assert.equal(await directory.release(KEY, ANN), true)
    assert.equal(await host.fates.settle(ANN, 't1', 'used'), 'revoked')
    const { version } = await directory.claim(KEY, ANN, { token: 't2', ttlMs: LONG })
    await host.fates.settle(ANN, 't2', 'used')
    assert.equal(await directory.release(KEY, ANN, version), false)
    assert.equal(await directory.resolve(KEY), ANN)
    assert.equal(await directory.release(KEY, ANN, version), true)
  })

  check(
    'moving or overwriting a pending claim keeps its account from being inserted',
    async (directory, host) => {
      await directory.claim(KEY, ANN, { token: 't1', ttlMs: LONG })
      assert.equal(await directory.move(KEY, ANN, BOB), true)
      assert.equal(await directory.resolve(KEY), BOB)
      assert.equal(await host.fates.settle(ANN, 't1', 'used'), 'revoked')
      await directory.claim('bob@example.com', ANN, { token: 't2', ttlMs: LONG })
      await directory.put('bob@example.com', BOB, { force: true })
      assert.equal(await directory.resolve('bob@example.com'), BOB)
      assert.equal(await host.fates.settle(ANN, 't2', 'used'), 'revoked')
      await directory.claim('eve@example.com', ANN, { token: 't3', ttlMs: LONG })
      await directory.put('eve@example.com', ANN)
      assert.equal(await directory.resolve('eve@example.com'), ANN)
    },
  )

  check(
    'a directory that cannot reach the shards makes and ends no pending claim',
    async (directory, host) => {
      const blind = host.withoutShards()
      const bad = { code: 'INVALID_ARGUMENT', outcome: 'not-applied' }
      await assert.rejects(blind.claim(KEY, ANN, { ttlMs: 1_000 }), bad)
      assert.deepEqual(await directory.list(), [])
      const { version } = await directory.claim(KEY, ANN, { token: 't1', ttlMs: 1 })
      await settled(directory)
      assert.equal((await blind.claim(KEY, BOB)).state, 'pending')
      await assert.rejects(blind.settle(KEY, version), bad)
      const pending = { code: 'CLAIM_PENDING', retryable: true, outcome: 'not-applied' }
      await assert.rejects(blind.release(KEY, ANN), pending)
      await assert.rejects(blind.move(KEY, ANN, BOB), pending)
      await assert.rejects(blind.put(KEY, BOB, { force: true }), pending)
      assert.equal(await host.fates.settle(ANN, 't1', 'used'), 'used')
      assert.equal(await blind.confirm(KEY, 't1'), true)
    },
  )
}

/** Claims until the time of the claim on file is over. */
async function challenged(directory: Directory, id: bigint): Promise<Claim> {
  let claim = await directory.claim(KEY, id)
  await until(async () => {
    claim = claim.won ? claim : await directory.claim(KEY, id)
    return claim.won
  })
  return claim
}

/** Waits for the database's clock to pass the expiry on file. */
async function settled(directory: Directory): Promise<void> {
  const { expiresAtMs } = (await directory.lookup(KEY)) ?? assert.fail()
  let n = 0n
  await until(async () => {
    // What is written now carries the database's time.
    const key = `clock ${++n}`
    await directory.put(key, 1n)
    const nowMs = (await directory.lookup(key))?.updatedAtMs ?? 0
    await directory.release(key, 1n)
    return nowMs > (expiresAtMs ?? 0)
  })
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline)
    // A store in this process answers at once, and leaves the clock no time.
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}
