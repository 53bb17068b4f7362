import type { Delay } from '@shard/core'
import type { Lease, Leases } from '@shard/sql'

/** A lease that is held while work goes on. */
export interface LeaseWish {
  readonly leases: Leases
  readonly name: string
  readonly owner: string
  readonly ttlMs: number
  readonly delay: Delay
  readonly signal: AbortSignal | undefined
}

/** What came of it. */
export type UnderLease<T> =
  | { readonly state: 'done'; readonly result: T }
  | { readonly state: 'busy' | 'lost' }

/**
 * Runs work while a lease is held, and extends it as long as the work goes on. The work's signal is aborted when the
 * lease is lost, or the caller's signal is aborted.
 */
export async function underLease<T>(
  wish: LeaseWish,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<UnderLease<T>> {
  const { leases, name, owner, ttlMs, signal } = wish
  const lease = await leases.acquire(name, { owner, ttlMs, signal })
  if (!lease) return { state: 'busy' }
  const ended = new AbortController()
  const beating = beat(lease, wish, ended.signal)
  try {
    return {
      state: 'done',
      result: await work(AbortSignal.any(signal ? [lease.lost, signal] : [lease.lost])),
    }
  } catch (error) {
    if (lease.isHeld || signal?.aborted) throw error
    return { state: 'lost' }
  } finally {
    ended.abort()
    await beating
    // If it cannot be given up, it expires.
    await lease.release().catch(() => {})
  }
}

async function beat(lease: Lease, { ttlMs, delay }: LeaseWish, ended: AbortSignal): Promise<void> {
  while (lease.isHeld && !ended.aborted) {
    await delay(ttlMs / 3, ended).catch(() => {})
    if (!ended.aborted) await lease.extend().catch(() => {})
  }
}
