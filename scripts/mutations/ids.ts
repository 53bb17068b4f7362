import type { Mutation } from './mutation.ts'
import { conformance, unit } from './tests.ts'

/** Faults of ids, and of the leases that keep them apart. */
export const idMutations: readonly Mutation[] = [
  {
    name: 'a window begins at the clock, whatever was handed out before',
    file: 'packages/sql/src/lease-queries.ts',
    find: 'const start = larger(sql`mark_ms`, ',
    replace: 'const start = larger(sql`0`, ',
    tests: conformance('worker-leases', '^sqlite windows'),
  },
  {
    name: 'a release gives the rest of the window back',
    file: 'packages/sql/src/lease-queries.ts',
    find: '.set({ owner: null, token: null })',
    replace: '.set({ owner: null, token: null, mark_ms: 0n })',
    tests: conformance('worker-leases', '^sqlite windows'),
  },
  {
    name: 'an extension counts from the reply',
    file: 'packages/sql/src/held-lease.ts',
    find: 'Math.max(this.#deadlineMs, sentAtMs + ttlMs)',
    replace: 'Math.max(this.#deadlineMs, this.#around.clock.monotonicMs() + ttlMs)',
    tests: conformance('worker-leases', '^sqlite holding'),
  },
  {
    name: 'a lease that another holds can be extended',
    file: 'packages/sql/src/lease-queries.ts',
    find: `.where('token', '=', token)
      .where('expires_at_ms', '>', this.#nowMs)`,
    replace: ".where('expires_at_ms', '>', this.#nowMs)",
    tests: conformance('worker-leases', '^sqlite holding'),
  },
  {
    name: 'workers are chosen whatever their marks',
    file: 'packages/registry/src/worker-choice.ts',
    find: '(record?.markMs ?? floorMarkMs) <= nowMs',
    replace: '(record?.markMs ?? floorMarkMs) >= 0',
    tests: conformance('worker-leases', '^sqlite acquiring'),
  },
  {
    name: 'a worker is not extended in the background',
    file: 'packages/registry/src/held-worker.ts',
    find: 'const isExtended = await this.#extendInTime().catch(() => false)',
    replace: 'const isExtended = true',
    tests: conformance('worker-leases', '^sqlite holding'),
  },
  {
    name: 'an extension that gets no answer is waited for',
    file: 'packages/registry/src/held-worker.ts',
    find: 'return await this.extend({ signal: late.signal })',
    replace: 'return await this.extend({})',
    tests: conformance('worker-lease-faults', '^sqlite an extension'),
  },
  {
    name: 'nobody compares the clocks of host and database',
    file: 'packages/registry/src/worker-leases-over.ts',
    find: 'if (!isClose) throw',
    replace: 'if (!isClose && maxSkewMs < 0) throw',
    tests: conformance('worker-leases', '^sqlite clocks'),
  },
  {
    name: 'a worker is leased for another layout than the one on record',
    file: 'packages/registry/src/layout-sql.ts',
    find: 'if (wanted) checkSameLayout(onRecord, wanted)',
    replace: 'if (!wanted) checkSameLayout(onRecord, onRecord)',
    tests: conformance('worker-leases', '^sqlite the layout'),
  },
  {
    name: 'a bump leaves the windows where they were',
    file: 'packages/sql/src/lease-queries.ts',
    find: 'epoch, mark_ms: mark }',
    replace: 'epoch }',
    tests: conformance('worker-lease-faults', '^sqlite a database that forgets'),
  },
  {
    name: 'the end of a lease is not looked at',
    file: 'packages/core/src/id-time.ts',
    find: 'if (lease.lost.aborted || !(monotonicMs < endMs)) throw',
    replace: 'if (lease.lost.aborted) throw',
    tests: unit('core', 'id-allocator.lease'),
  },
  {
    name: 'within a millisecond nobody hears that a lease is lost',
    file: 'packages/core/src/id-time.ts',
    find: '() => this.#forget()',
    replace: '() => {}',
    tests: unit('core', 'id-allocator.lease'),
  },
  {
    name: 'ids are stamped beyond the window',
    file: 'packages/core/src/id-counter.ts',
    find: 'if (!(lastMs < untilMs)) throw',
    replace: 'if (!(nowMs < untilMs)) throw',
    tests: unit('core', 'id-allocator.lease'),
  },
  {
    name: 'the counter of a millisecond wraps',
    file: 'packages/core/src/id-counter.ts',
    find: 'if (now === this.#seen && this.#index < this.#max) {',
    replace: 'if (now === this.#seen && this.#index <= this.#max) {',
    tests: unit('core', 'id-allocator'),
  },
  {
    name: 'a clock that goes back takes the ids along',
    file: 'packages/core/src/id-counter.ts',
    find: 'const isLater = nowMs - this.#epochMs > this.#ms',
    replace: 'const isLater = nowMs - this.#epochMs !== this.#ms',
    tests: unit('core', 'id-allocator'),
  },
  {
    name: 'one lease serves two allocators',
    file: 'packages/core/src/worker-lease-binding.ts',
    find: 'if (Object.hasOwn(lease, bound))',
    replace: "if (Object.hasOwn(lease, 'bound'))",
    tests: unit('core', 'id-allocator.lease'),
  },
]
