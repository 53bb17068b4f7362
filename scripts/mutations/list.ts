import type { Mutation } from './mutation.ts'

const executor = ['--project', 'conformance', 'test/executor.test.ts']

/** Faults that were met in the field, or that a hurried change could make. */
export const mutations: readonly Mutation[] = [
  {
    name: 'SQLite reads integers as numbers',
    file: 'packages/core/src/sqlite/prepared.ts',
    find: 'statement.safeIntegers(true)',
    replace: 'statement.safeIntegers(false)',
    tests: [...executor, '-t', 'sqlite integers'],
  },
]
