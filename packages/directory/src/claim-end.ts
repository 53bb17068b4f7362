import { checkBigint, checkText, type Id, isShardError, MAX_ID, ShardError } from '@shard/core'
import type { ClaimFates } from './claim-fates.ts'
import type { Fate } from './directory.ts'
import type { EntryStore, NewEntry, StoredEntry } from './entry-store.ts'
import type { Spelling } from './spellings.ts'

/** How often a call starts again when rivals change the entry between two of its steps. */
export const MAX_ATTEMPTS = 16

/**
 * Ends the claim of an entry by its fate: revoked on the shard of its id unless its account was inserted. A
 * pending entry is then freed or confirmed, unless somebody else did so or its version is gone.
 */
export async function endPending(
  store: EntryStore,
  fates: ClaimFates,
  entry: StoredEntry,
  signal: AbortSignal | undefined,
): Promise<Fate> {
  const fate = await fates.settle(entry.id, entry.token, 'revoked', signal)
  if (entry.state === 'confirmed') return fate
  if (fate === 'used') await store.confirm(entry, null, signal)
  else await store.remove(entry, signal)
  return fate
}

/** The entries of a new claim: one for each spelling, alike in all else. */
export function entriesFor(
  spelled: readonly Spelling[],
  id: Id,
  token: string = crypto.randomUUID(),
  ttlMs: number | null = null,
): NewEntry[] {
  checkBigint('an id', id, 1n, MAX_ID)
  checkText('a token', token, 64)
  const state = ttlMs === null ? 'confirmed' : 'pending'
  const version = randomVersion()
  return spelled.map(({ key, normaliser }) => ({ key, normaliser, id, token, state, version, ttlMs }))
}

/** Random and not counted, so that an entry which was removed and made again never has an old version. */
export function randomVersion(): bigint {
  const [bits = 0n] = crypto.getRandomValues(new BigUint64Array(1))
  return (bits % MAX_ID) + 1n
}

/** A failed reading says nothing about the insert before it. */
export function unsettled(error: unknown): never {
  if (!isShardError(error)) throw error
  const { code, message, retryable } = error
  throw new ShardError(code, message, { retryable, outcome: 'unknown', cause: error })
}
