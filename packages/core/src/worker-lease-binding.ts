import { checkInteger, checkNumber, show } from './argument.ts'
import { InvalidArgumentError, LayoutMismatchError } from './errors.ts'
import { checkSameLayout, type Layout } from './layout.ts'
import type { WorkerLease } from './worker-lease.ts'

/** The last instant that a Date can hold: https://tc39.es/ecma262/#sec-time-values-and-time-range */
const MAX_INSTANT_MS = 8.64e15

/** Marks a lease that serves an allocator; the same symbol in every copy of this package. */
const bound: unique symbol = Symbol.for('shard.worker-lease.bound') as never

/**
 * Takes a lease for one allocator of `layout`, for ever.
 * @throws InvalidArgumentError if it is no lease, or serves an allocator already
 * @throws LayoutMismatchError if the layout has no such worker number
 */
export function bindLease(lease: WorkerLease, layout: Layout): void {
  checkLease(lease)
  const { worker } = lease
  // Without worker bits there is one number, 0.
  if (worker >= 2 ** layout.workerBits)
    throw new LayoutMismatchError(
      `the layout has ${layout.workerBits} worker bits, the lease is of ${worker}`,
    )
  if (lease.layout) checkSameLayout(lease.layout, layout)
  if (Object.hasOwn(lease, bound))
    throw new InvalidArgumentError('the lease serves another allocator already')
  if (!Reflect.defineProperty(lease, bound, { value: true }))
    throw new InvalidArgumentError('a lease cannot be frozen: it must remember its allocator')
}

function checkLease(lease: WorkerLease): void {
  if (typeof lease !== 'object' || lease === null || !isSignal(lease.lost))
    throw new InvalidArgumentError(`a worker is a lease, not ${show(lease)}`)
  checkInteger('worker', lease.worker, 0, 2 ** 22 - 1)
  checkInteger('mintFromMs', lease.mintFromMs, 0, MAX_INSTANT_MS)
  checkInteger('mintUntilMs', lease.mintUntilMs, lease.mintFromMs, MAX_INSTANT_MS)
  const { acquiredAtMonotonicMs, expiresAtMonotonicMs } = lease
  for (const ms of [expiresAtMonotonicMs, acquiredAtMonotonicMs ?? expiresAtMonotonicMs])
    checkNumber('an instant of the monotonic clock', ms, -Number.MAX_VALUE, Number.MAX_VALUE)
}

function isSignal(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value
}
