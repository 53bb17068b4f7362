import assert from 'node:assert/strict'
import { type Executor, type Id, ShardCodec } from '@shard/core'
import { type Finding, type SweepOptions, type SweepReport, signUp, sweep, useClaim } from '@shard/directory'
import { beforeEach, test } from 'vitest'
import { accountExists, accountsOf, deleteAccount, insertAccount, placing } from './account-fleet.ts'
import { directoryOn } from './directory-hosts.ts'
import { memoryFleet, type View } from './memory-fleet.ts'

const HOUR = 3_600_000
const idOf = (shard: number, n: number): Id => ShardCodec.default.compose(shard, BigInt(n))

let fleet: (view?: View) => Executor

beforeEach(async () => {
  fleet = await memoryFleet()
  const executor = fleet()
  const placer = placing(1)
  for (const name of ['ann', 'bob', 'cyd', 'dan']) {
    const insert = insertAccount(name)
    await signUp({ directory: directoryOn(executor), executor, placer, key: name, insert })
  }
})

type Swept = SweepReport & { readonly findings: readonly Finding[] }

async function swept(
  options: Partial<SweepOptions> = {},
  view: View = { aheadMs: 2 * HOUR },
): Promise<Swept> {
  const executor = fleet(view)
  const findings: Finding[] = []
  const report = await sweep({
    directory: directoryOn(executor),
    exists: (id) => accountExists(executor, id),
    onProgress: (finding) => findings.push(finding),
    ...options,
  })
  return { ...report, findings }
}

/** As an account that is deleted without its key. */
async function loseAccount(key: string): Promise<Id> {
  const id = (await directoryOn(fleet()).resolve(key)) ?? assert.fail()
  await fleet().transaction((tx) => deleteAccount(tx, id), { route: { key: id } })
  return id
}

async function addAccount(email: string, id: Id): Promise<void> {
  await fleet().transaction((tx) => insertAccount(email)(tx, id), { route: { key: id } })
}

test('a directory that is as it should be stays so', async () => {
  const { findings, ...report } = await swept({ repair: true, rows: await accountsOf(fleet()) })
  const found = { expired: 0, 'no-account': 0, 'no-key': 0, 'other-owner': 0, unknown: 0 }
  assert.deepEqual(report, { entries: 4, rows: 4, found, repairs: 0, stopped: false })
  assert.deepEqual(findings, [])
})

test('a key without an account is freed, after a dry run that only says so', async () => {
  const id = await loseAccount('bob')
  const finding: Finding = { kind: 'no-account', key: 'bob', id, action: 'freed' }
  assert.deepEqual((await swept()).findings, [finding])
  assert.equal(await directoryOn(fleet()).resolve('bob'), id)
  assert.deepEqual((await swept({ repair: true })).findings, [finding])
  assert.equal(await directoryOn(fleet()).resolve('bob'), null)
  assert.deepEqual((await swept({ repair: true })).findings, [])
})

test('with a shard down nothing of it is freed, whatever exists says of it', async () => {
  const lost = [await loseAccount('ann'), await loseAccount('bob')]
  const down = ShardCodec.default.shardOf(lost[0] ?? 0n)
  assert.notEqual(ShardCodec.default.shardOf(lost[1] ?? 0n), down)
  const view = { aheadMs: 2 * HOUR, down: [down] }
  const deadToo = await swept({ repair: true, exists: async () => 'no', limit: 1 }, { ...view, down: [1, 2] })
  assert.deepEqual([deadToo.found.unknown, deadToo.repairs], [4, 0])
  const { found, repairs } = await swept({ repair: true }, view)
  assert.deepEqual([found.unknown, found['no-account'], repairs], [2, 1, 1])
  const directory = directoryOn(fleet())
  assert.deepEqual([await directory.resolve('ann'), await directory.resolve('bob')], [lost[0], null])
  assert.equal((await directory.list()).length, 3)
})

test('an answer of unknown, or none, touches nothing', async () => {
  await loseAccount('ann')
  for (const exists of [
    async () => 'unknown' as const,
    () => Promise.reject(new Error('?')),
    async () => 'nay' as never,
  ]) {
    const { found, repairs } = await swept({ repair: true, exists })
    assert.deepEqual([found.unknown, repairs], [4, 0])
  }
  assert.equal((await directoryOn(fleet()).list()).length, 4)
})

test('what exists says no to is asked once more after its fate is decided', async () => {
  const executor = fleet()
  const asked = new Map<Id, number>()
  const late = async (id: Id): Promise<'yes' | 'no'> => {
    asked.set(id, (asked.get(id) ?? 0) + 1)
    return asked.get(id) === 1 ? 'no' : accountExists(executor, id)
  }
  assert.deepEqual((await swept({ repair: true, exists: late })).findings, [])
  assert.deepEqual([...asked.values()], [2, 2, 2, 2])
})

test('an account that is inserted after its key was freed is refused', async () => {
  const directory = directoryOn(fleet())
  const id = idOf(1, 500)
  const { token = '' } = await directory.claim('eve', id)
  assert.deepEqual((await swept({ repair: true })).findings, [
    { kind: 'no-account', key: 'eve', id, action: 'freed' },
  ])
  const late = fleet().transaction((tx) => useClaim(tx, { id, token }), { route: { key: id } })
  await assert.rejects(late, { code: 'CLAIM_REVOKED', outcome: 'not-applied' })
})

test('expired claims are confirmed or freed by their fate; those that may go on stay', async () => {
  const directory = directoryOn(fleet())
  const ids = [idOf(1, 501), idOf(2, 502), idOf(1, 503)] as const
  const { token = '' } = await directory.claim('used', ids[0], { ttlMs: 1_000 })
  await fleet().transaction((tx) => useClaim(tx, { id: ids[0], token }), { route: { key: ids[0] } })
  await addAccount('used', ids[0])
  await directory.claim('dead', ids[1], { ttlMs: 1_000 })
  await directory.claim('open', ids[2], { ttlMs: 10 * HOUR })
  const { findings } = await swept({ repair: true })
  assert.deepEqual(findings, [
    { kind: 'expired', key: 'dead', id: ids[1], action: 'freed' },
    { kind: 'expired', key: 'used', id: ids[0], action: 'confirmed' },
  ])
  assert.equal(await directory.resolve('used'), ids[0])
  assert.equal((await directory.lookup('open'))?.state, 'pending')
})

test('young entries are left alone', async () => {
  await loseAccount('ann')
  assert.equal((await swept({ repair: true }, { aheadMs: HOUR / 2 })).entries, 0)
  assert.equal((await swept({ repair: true, olderThanMs: HOUR / 4 }, { aheadMs: HOUR / 2 })).repairs, 1)
})

test('it stops at its limit', async () => {
  for (const key of ['ann', 'bob', 'cyd']) await loseAccount(key)
  for (const repair of [false, true]) {
    const { stopped, repairs } = await swept({ repair, limit: 2 })
    assert.deepEqual([stopped, repairs], [true, 2])
  }
  assert.equal((await directoryOn(fleet()).list()).length, 2)
  assert.deepEqual(
    [(await swept({ repair: true, limit: 0 })).repairs, (await directoryOn(fleet()).list()).length],
    [0, 2],
  )
})

test('an account without a key claims it, if it is free; no account is ever deleted', async () => {
  const [lone, double, gone] = [idOf(1, 600), idOf(2, 601), idOf(2, 602)]
  await addAccount('eve', lone)
  await addAccount('ann', double)
  const rows = [...(await accountsOf(fleet())), { key: 'zoe', id: gone }]
  const { findings } = await swept({ repair: true, rows })
  assert.deepEqual(findings, [
    { kind: 'no-key', key: 'eve', id: lone, action: 'claimed' },
    { kind: 'other-owner', key: 'ann', id: double, action: 'none' },
    { kind: 'no-key', key: 'zoe', id: gone, action: 'none' },
  ])
  const directory = directoryOn(fleet())
  assert.deepEqual([await directory.resolve('eve'), await directory.resolve('zoe')], [lone, null])
  assert.equal((await accountsOf(fleet())).length, 6)
})

test('bad arguments are refused', async () => {
  for (const options of [{ limit: -1 }, { olderThanMs: Number.NaN }, { exists: null as never }])
    await assert.rejects(swept(options), { code: 'INVALID_ARGUMENT' })
})
