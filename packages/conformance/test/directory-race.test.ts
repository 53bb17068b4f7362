import assert from 'node:assert/strict'
import type { Executor } from '@shard/core'
import type { Claim } from '@shard/directory'
import { describe, test } from 'vitest'
import { settledWithin } from '../src/fence/paused.ts'
import { type Child, withChildren } from './children.ts'
import type { SharedDatabase } from './connected-database.ts'
import { type Database, databases, withServer } from './databases.ts'
import { directoryOn } from './directory-hosts.ts'
import type { Heat, Sighting } from './directory-racer.ts'
import { onSharedDatabase } from './shared-database.ts'

/** Starting processes takes long on a busy machine. */
const long = { timeoutMs: 170_000 }

const keys = Array.from({ length: 150 }, (_, i) => `user${i}@example.com`)

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => races(engine))
  })
}

function races(engine: Database): void {
  const onDatabase = (name: string, body: (database: SharedDatabase) => Promise<void>) =>
    test(name, () => onSharedDatabase(engine, body), long.timeoutMs)

  onDatabase('two connections: each key has one owner, and every caller saw it', async ({ connect }) => {
    const [first, second] = [connect(), connect()]
    const sightings = await Promise.all(
      [first, second].flatMap((executor, racer) => {
        const directory = directoryOn(executor)
        return keys.map(async (key, place): Promise<Sighting> => {
          const { id, won } = await directory.claim(key, BigInt(1_000 * (racer + 1) + place))
          return { key, id: id.toString(), won }
        })
      }),
    )
    await checkOneOwner(first, sightings, 2)
  })

  onDatabase('four processes: each key has one owner, and every caller saw it', async ({ connect, url }) => {
    const orders = [keys, keys.toReversed(), keys, keys.toReversed()]
    const heatOf = (i: number): Heat => ({ url, keys: orders[i] ?? [], firstId: `${1_000 * (i + 1)}` })
    const race = (racers: readonly Child[]) =>
      Promise.all(racers.map((racer, i) => racer.ask<Sighting[]>(heatOf(i))))
    const sightings = await withChildren('directory-racer.ts', orders.length, race, long)
    await checkOneOwner(connect(), sightings.flat(), 4)
  })

  for (const [ending, owner, won] of [
    ['commits', 1n, false],
    ['rolls back', 2n, true],
  ] as const) {
    onDatabase(
      `[E5] a claim waits for a rival that has not committed; the rival ${ending}`,
      async ({ connect }) => {
        const [second, witness] = [connect(), connect()]
        const end = new Error('rolled back')
        let claim: Promise<Claim> | undefined
        const rival = connect().transaction(async (tx) => {
          await directoryOn(tx).claim('ann', 1n)
          claim = directoryOn(second).claim('ann', 2n)
          assert.equal(await settledWithin(claim, witness), false)
          if (ending === 'rolls back') throw end
        })
        if (ending === 'rolls back') await assert.rejects(rival, end)
        else await rival
        const { id, won: hasWon } = (await claim) ?? assert.fail()
        assert.deepEqual([id, hasWon], [owner, won])
        assert.equal(await directoryOn(second).resolve('ann'), owner)
      },
    )
  }

  // On SQLite a transaction keeps all others from writing.
  if (engine.dialect === 'sqlite') return

  onDatabase(
    'a transaction that has read before its rival committed still gets the id of the rival',
    async ({ connect }) => {
      const rival = directoryOn(connect())
      await connect().transaction(async (tx) => {
        const directory = directoryOn(tx)
        assert.equal(await directory.resolve('ann'), null)
        await rival.claim('ann', 1n)
        await rival.claim('bob', 1n)
        const { id, won } = await directory.claim('ann', 2n)
        assert.deepEqual([id, won], [1n, false])
        await assert.rejects(directory.put('bob', 2n), { code: 'KEY_TAKEN', id: 1n })
        await directory.put('bob', 2n, { force: true })
        assert.equal((await directory.claim('eve', 2n)).won, true)
      })
      assert.deepEqual(await rival.keysOf(2n), ['bob', 'eve'])
    },
  )

  onDatabase(
    'of two transactions that wait for each other one is told DEADLOCK, and wins nothing',
    async ({ connect }) => {
      const met = gate(2)
      const claimBoth = (executor: Executor, id: bigint, [one, other]: readonly [string, string]) =>
        executor.transaction(async (tx) => {
          await directoryOn(tx).claim(one, id)
          await met()
          await directoryOn(tx).claim(other, id)
        })
      const orders = [
        ['ann', 'bob'],
        ['bob', 'ann'],
      ] as const
      const ends = await Promise.allSettled(
        orders.map((order, i) => claimBoth(connect(), BigInt(i + 1), order)),
      )
      const refused = ends.filter((end) => end.status === 'rejected')
      assert.deepEqual(
        refused.map(({ reason: { code, retryable, outcome } }) => [code, retryable, outcome]),
        [['DEADLOCK', true, 'not-applied']],
      )
      const winner = BigInt(ends.findIndex(({ status }) => status === 'fulfilled') + 1)
      assert.deepEqual(await directoryOn(connect()).keysOf(winner), ['ann', 'bob'])
    },
  )
}

/** Lets nobody through before `count` have come. */
function gate(count: number): () => Promise<void> {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  let missing = count
  return () => {
    missing -= 1
    if (missing === 0) open()
    return opened
  }
}

async function checkOneOwner(
  executor: Executor,
  sightings: readonly Sighting[],
  racers: number,
): Promise<void> {
  const entries = await directoryOn(executor).list()
  assert.equal(entries.length, keys.length)
  for (const { key, id } of entries) {
    const seen = sightings.filter((sighting) => sighting.key === key)
    assert.equal(seen.length, racers)
    assert.ok(seen.every((sighting) => sighting.id === id.toString()))
    assert.equal(seen.filter(({ won }) => won).length, 1)
  }
}
