import assert from 'node:assert/strict'
import type { Executor } from '@shard/core'
import { exactKey, type NormaliserVersion, renormalise, usernameKey } from '@shard/directory'
import { describe, test } from 'vitest'
import { type Child, withChildren } from './children.ts'
import { type Database, databases, withServer } from './databases.ts'
import { directoryOn } from './directory-hosts.ts'
import type { Seen, Shift } from './directory-rollout-process.ts'
import { onSharedDatabase } from './shared-database.ts'

// From one normaliser to the next in two processes, one of which is always a step ahead of the other.

const older: NormaliserVersion = { version: 1, fold: exactKey }
const newer: NormaliserVersion = { version: 2, fold: usernameKey }

const names = Array.from({ length: 12 }, (_, i) => [`Name${i}`, `name${i}`, `NAME${i}`]).flat()

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      test(
        'no name gets two owners while two processes change their normaliser',
        () => rollOut(engine),
        110_000,
      )
    })
  })
}

async function rollOut(engine: Database): Promise<void> {
  await onSharedDatabase(engine, async ({ url, connect }) => {
    await withChildren('directory-rollout-process.ts', 2, async (children) => {
      let lastId = 0
      const phase = async (...live: [number[], number[]]): Promise<Seen[]> => {
        const seen = await Promise.all(
          live.map((versions, i) => {
            lastId += 1_000
            const shift: Shift = {
              url,
              versions,
              names: i === 0 ? names : names.toReversed(),
              firstId: `${lastId}`,
            }
            return (children[i] as Child).ask<Seen[]>(shift)
          }),
        )
        return seen.flat()
      }
      const before = await phase([1], [1, 2])
      before.push(...(await phase([1, 2], [1, 2])))
      checkOneOwner(before)
      assert.ok((await merge(connect)) > 0)
      const after = await phase([1, 2], [2, 1])
      checkOneOwner(after)
      await complete(connect, [newer, older])
      after.push(...(await phase([2, 1], [2])))
      await complete(connect, [newer])
      after.push(...(await phase([2], [2])))
      checkOneOwner(after)
      for (const [i, name] of names.entries())
        assert.equal(ownerOf(after, name), ownerOf(after, names[i - (i % 3)] ?? ''), name)
    })
  })
}

/** What an operator does once all know both: gives what becomes one name to one of its owners. */
async function merge(connect: () => Executor): Promise<number> {
  const directory = directoryOn(connect(), { normaliser: [newer, older] })
  const { collisions } = await renormalise({ directory })
  for (const { key, id, rivalId } of collisions) assert.equal(await directory.move(key, id, rivalId), true)
  // Of three owners of one name two may still differ.
  return collisions.length + (collisions.length > 0 ? await merge(connect) : 0)
}

async function complete(connect: () => Executor, normaliser: readonly NormaliserVersion[]): Promise<void> {
  const done = await renormalise({ directory: directoryOn(connect(), { normaliser }), dryRun: false })
  assert.deepEqual([done.collisions, done.waiting, done.unknown], [[], 0, 0])
}

function checkOneOwner(seen: readonly Seen[]): void {
  for (const name of names) {
    const ids = new Set(seen.filter((one) => one.name === name).map(({ id }) => id))
    assert.equal(ids.size, 1, `${name}: ${[...ids]}`)
  }
}

function ownerOf(seen: readonly Seen[], name: string): string | undefined {
  return seen.find((one) => one.name === name)?.id
}
