import assert from 'node:assert/strict'
import type { Executor } from '@shard/core'
import { fencedExecutor, shardFence } from '@shard/sql'
import { ann, type Check, entries, handOver, insert, owner, rejects, setUp } from './check.ts'
import { paused, settledWithin } from './paused.ts'

type Write = (fenced: Executor) => Promise<unknown>

const writes: readonly (readonly [name: string, write: Write])[] = [
  ['a write', (fenced) => insert(fenced, 1)],
  ['a transaction', (fenced) => fenced.transaction((tx) => insert(tx, 1))],
]

/** Raises the fence; which entries were there when that had been committed? */
async function entriesAtRaise(rival: Executor): Promise<bigint[]> {
  assert.equal(await shardFence(rival).raise(ann.token), true)
  return entries(rival)
}

/** How a write ended: `written`, or the code of its error. */
function endOf(write: Promise<unknown>): Promise<string> {
  return write.then(
    () => 'written',
    (error: { code?: unknown }) => String(error.code),
  )
}

/**
 * Pauses an owner between its check of the fence and its write, and raises the fence meanwhile on another
 * connection. Did the write come after a raise that had been committed? Asked of the database: replies of two
 * connections may overtake each other.
 */
export async function wroteAfterRaise(
  [owned, rival, witness]: readonly [Executor, Executor, Executor],
  write: Write,
): Promise<boolean> {
  await Promise.all([entries(rival), entries(witness)])
  const raise: { entries?: Promise<bigint[]> } = {}
  const pausing = paused(owned, async () => {
    raise.entries = entriesAtRaise(rival)
    await settledWithin(raise.entries, witness)
  })
  const end = await endOf(write(fencedExecutor(pausing, ann)))
  const atRaise = (await raise.entries) ?? assert.fail('the fence was not read')
  return end === 'written' && !atRaise.includes(1n)
}

export function interleaved(test: Check): void {
  for (const [name, write] of writes) {
    test(`${name}: a raise that comes between its check and its write waits for it`, async (host) => {
      const plain = await setUp(host)
      await handOver(plain, ann)
      const connections = [host.connect(), host.connect(), plain] as const
      assert.equal(await wroteAfterRaise(connections, write), false)
      assert.deepEqual(await entries(plain), [1n])
      await rejects(write(fencedExecutor(connections[0], ann)), 'FENCED')
    })

    test(`${name} that comes while a raise is not committed waits for it, and is refused`, async (host) => {
      const plain = await setUp(host)
      const fenced = await owner(host, ann)
      let writing: Promise<unknown> = Promise.resolve()
      await host.connect().transaction(async (tx) => {
        assert.equal(await shardFence(tx).raise(ann.token), true)
        writing = endOf(write(fenced))
        assert.equal(await settledWithin(writing, plain), false)
      })
      assert.equal(await writing, 'FENCED')
      assert.deepEqual(await entries(plain), [])
    })

    test(`${name} that comes while a raise is undone goes through`, async (host) => {
      const plain = await setUp(host)
      const fenced = await owner(host, ann)
      const undone = new Error('undone')
      let writing: Promise<unknown> = Promise.resolve()
      const raise = host.connect().transaction(async (tx) => {
        assert.equal(await shardFence(tx).raise(ann.token), true)
        writing = write(fenced)
        await settledWithin(writing, plain)
        throw undone
      })
      await assert.rejects(raise, undone)
      await writing
      assert.deepEqual(await entries(plain), [1n])
    })
  }
  test('a change of the schema lets no raise in before the writes that follow it', async (host) => {
    const plain = await setUp(host)
    const fenced = await owner(host, ann)
    let raising: Promise<bigint[]> = Promise.resolve([])
    const work = fenced.transaction(async (tx) => {
      await tx.execute({ sql: 'create table other (n bigint)', parameters: [] })
      raising = entriesAtRaise(host.connect())
      await settledWithin(raising, plain)
      await insert(tx, 1)
    })
    const [end, atRaise] = [await endOf(work), await raising]
    // Where the change has ended the transaction the raise comes first, and the write is refused.
    assert.deepEqual([end, atRaise], end === 'written' ? ['written', [1n]] : ['FENCED', []])
    assert.deepEqual(await entries(plain), atRaise)
  })
}
