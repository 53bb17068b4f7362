import type { Mutation } from './mutation.ts'
import { conformance, unit } from './tests.ts'

/** Faults of counters, and of the blocks of ids that come from them. */
export const blockMutations: readonly Mutation[] = [
  {
    name: 'all attempts of a process write one nonce',
    file: 'packages/s3-alloc/src/s3/s3-counter.ts',
    find: '      nonce: randomText(),',
    replace: "      nonce: 'of this process',",
    tests: conformance('counter-faults', 'C2'),
  },
  {
    name: 'a 404 is taken for a counter that was never made',
    file: 'packages/s3-alloc/src/counter-watch.ts',
    find: "if (reading === null) throw new CounterMissingError(counter.name ?? 'its place')",
    replace: 'if (reading === null) return { value: 0n, version: null as never }',
    tests: conformance('counter-faults', 'C3'),
  },
  {
    name: 'a missing bucket is taken for a missing counter',
    file: 'packages/s3-alloc/src/s3/verdict.ts',
    find: "(code === 'NoSuchKey' || code === 'NotFound' || code === '')",
    replace: 'code.length >= 0',
    tests: conformance('counter-faults', 'C3'),
  },
  {
    name: 'an empty body is taken for 0',
    file: 'packages/s3-alloc/src/s3/body.ts',
    find: "if (text === '') return 'it is empty'",
    replace: "if (text === '') return { value: 0n, generation: null, home: null, nonce: null }",
    tests: conformance('counter-faults', 'empty-body'),
  },
  {
    name: 'a bare number proves whose block it is',
    file: 'packages/s3-alloc/src/s3/s3-counter.ts',
    find: "next.nonce !== null && 'text' in now.body",
    replace: "'text' in now.body",
    tests: conformance('counter-history', 'proves nothing'),
  },
  {
    name: 'the SDK resends the conditional PUT',
    file: 'packages/s3-alloc/src/s3/one-attempt.ts',
    find: 'failure.error = error\n',
    replace: 'throw error\n',
    tests: conformance('counter-faults', 'C1'),
  },
  {
    name: 'a weak ETag is compared with',
    file: 'packages/s3-alloc/src/s3/etag.ts',
    find: 'if (/^W\\//i.test(etag))',
    replace: 'if (/^W\\/\\//i.test(etag))',
    tests: conformance('counter-faults', 'C9'),
  },
  {
    name: 'a block of which nobody knows is given',
    file: 'packages/s3-alloc/src/block-taker.ts',
    find: "if (result !== 'ok') return",
    replace: "if (result === 'lost') return",
    tests: conformance('block-schedules-1', 'three allocators'),
  },
  {
    name: 'an older copy is not seen',
    file: 'packages/s3-alloc/src/counter-watch.ts',
    find: 'if (value < this.#highest)',
    replace: 'if (value < 0n)',
    tests: conformance('counter-history', 'an older copy'),
  },
  {
    name: 'a block that was on its way survives a discard',
    file: 'packages/s3-alloc/src/block-allocator.ts',
    find: 'const isOver = (): boolean => this.#visit !== visit || this.#isClosed',
    replace: 'const isOver = (): boolean => this.#isClosed',
    tests: conformance('counter-history', 'discards'),
  },
  {
    name: 'a counter in SQL is written whatever its version',
    file: 'packages/s3-alloc/src/sql.ts',
    find: "      .where('token', '=', version)",
    replace: '',
    tests: conformance('counter', '^sqlite'),
  },
  {
    name: 'waits grow without a bound',
    file: 'packages/core/src/backoff.ts',
    find: 'Math.min(capMs, baseMs * 2 ** Math.min(attempt - 1, MOST_DOUBLINGS))',
    replace: '(baseMs << (attempt - 1))',
    tests: unit('s3-alloc', 'backoff'),
  },
]
