import assert from 'node:assert/strict'
import {
  cachedDirectory,
  type Directory,
  type DirectoryOptions,
  type MemoryEntries,
  memoryDirectory,
  memoryFates,
} from '@shard/directory'
import { applySchema } from '@shard/sql'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { DirectoryHost } from '../src/directory.suite.ts'
import { directorySuite } from '../src/directory.suite.ts'
import { type Database, databases, withServer } from './databases.ts'
import { directoryAdapterOf, directoryHost, directoryOn, fleet } from './directory-hosts.ts'
import { executorHost, insideTransaction } from './executor-hosts.ts'

describe('memory', () => {
  directorySuite({ test, describe, open: async () => memoryHost() })
})

describe('memory behind a cache', () => {
  directorySuite({
    test,
    describe,
    open: async () => {
      const host = memoryHost()
      const cached: { readonly options: DirectoryOptions; readonly directory: Directory }[] = []
      // One cache for all that ask alike, as one process has it: what others change is seen later.
      const directory = (options: DirectoryOptions = {}): Directory => {
        const { namespace, normaliser } = options
        const known = cached.find(
          ({ options }) => options.namespace === namespace && options.normaliser === normaliser,
        )
        if (known) return known.directory
        const one = { options, directory: cachedDirectory(host.directory(options)) }
        cached.push(one)
        return one.directory
      }
      return { ...host, directory }
    },
  })
})

function memoryHost(): DirectoryHost {
  const entries: MemoryEntries = new Map()
  const fates = memoryFates()
  return {
    directory: (options) => memoryDirectory({ ...options, entries, fates }),
    fates,
    withoutShards: (options) => memoryDirectory({ ...options, entries }),
    close: async () => {},
  }
}

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      directorySuite({ test, describe, open: () => directoryHost(engine) })

      describe('behind a sharded executor', () => {
        directorySuite({ test, describe, open: () => directoryHost(engine, { decorate: fleet }) })
      })

      describe('inside a transaction', () => {
        directorySuite({ test, describe, open: () => directoryHost(engine, { inside: insideTransaction }) })
      })

      test('answers any run of calls as memory does', () => answersAsMemory(engine))

      test('its plain DDL is its ladder', () => {
        const { schema, createTables, shardSchema, createShardTables } = directoryAdapterOf(engine)
        assert.deepEqual(schema.steps.flat(), createTables)
        assert.deepEqual(shardSchema.steps.flat(), createShardTables)
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
