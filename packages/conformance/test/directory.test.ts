import assert from 'node:assert/strict'
import { type Directory, type MemoryEntries, memoryDirectory } from '@shard/directory'
import { applySchema } from '@shard/sql'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { directorySuite } from '../src/directory.suite.ts'
import { type Database, databases, withServer } from './databases.ts'
import { directoryAdapterOf, directoryHost, directoryOn } from './directory-hosts.ts'
import { executorHost, insideTransaction, sharded } from './executor-hosts.ts'

describe('memory', () => {
  directorySuite({
    test,
    describe,
    open: async () => {
      const entries: MemoryEntries = new Map()
      return { directory: (options) => memoryDirectory({ ...options, entries }), close: async () => {} }
    },
  })
})

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      directorySuite({ test, describe, open: () => directoryHost(engine) })

      describe('behind a sharded executor', () => {
        directorySuite({ test, describe, open: () => directoryHost(engine, { decorate: sharded }) })
      })

      describe('inside a transaction', () => {
        directorySuite({ test, describe, open: () => directoryHost(engine, { inside: insideTransaction }) })
      })

      test('answers any run of calls as memory does', () => answersAsMemory(engine))

      test('its plain DDL is its ladder', () => {
        const { schema, createTables } = directoryAdapterOf(engine)
        assert.deepEqual(schema.steps.flat(), createTables)
      })
    })
  })
}

/** One call, with its answer in a form that does not depend on random versions and the time. */
type Step = (directory: Directory) => Promise<unknown>

const key = fc.constantFrom('a', 'A', 'b', 'ß', 'x@é.example', 'x@xn--9ca.example')
const id = fc.bigInt(1n, 4n)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(key, id, fc.constantFrom(undefined, 't1', 't2')).map(
    ([k, i, token]): Step =>
      async (directory) => {
        const { id, won, state } = await directory.claim(k, i, { token })
        return [id, won, state]
      },
  ),
  fc.tuple(key, id).map(
    ([k, i]): Step =>
      (directory) =>
        directory.release(k, i),
  ),
  fc.tuple(key, id, id).map(
    ([k, from, to]): Step =>
      (directory) =>
        directory.move(k, from, to),
  ),
  fc.tuple(key, id, fc.boolean()).map(
    ([k, i, force]): Step =>
      (directory) =>
        directory.put(k, i, { force }).catch(({ code, id }: { code: string; id: bigint }) => [code, id]),
  ),
  key.map(
    (k): Step =>
      (directory) =>
        directory.resolve(k),
  ),
  id.map(
    (i): Step =>
      (directory) =>
        directory.keysOf(i),
  ),
  fc.tuple(fc.option(key, { nil: undefined }), fc.integer({ min: 1, max: 3 })).map(
    ([after, limit]): Step =>
      async (directory) =>
        (await directory.list({ after, limit })).map(({ key, id, state }) => [key, id, state]),
  ),
  fc.array(key).map(
    (keys): Step =>
      (directory) =>
        directory.resolveMany(keys),
  ),
)

/** Each run has a namespace of its own. */
async function answersAsMemory(engine: Database): Promise<void> {
  const { executor, close } = await executorHost(engine)
  await applySchema(executor, directoryAdapterOf(executor).schema)
  let runs = 0
  const run = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
    const directories = [memoryDirectory(), directoryOn(executor, { namespace: `run ${++runs}` })]
    for (const step of steps) {
      const [memory, database] = await Promise.all(directories.map(step))
      assert.deepEqual(database, memory)
    }
  })
  try {
    await fc.assert(run, { numRuns: 100 })
  } finally {
    await close()
  }
}
