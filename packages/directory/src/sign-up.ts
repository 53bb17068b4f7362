import {
  BusyError,
  ClaimPendingError,
  checkInteger,
  checkSignal,
  type Executor,
  type Id,
  InvalidArgumentError,
  isShardError,
} from '@shard/core'
import type { Claim, Directory } from './directory.ts'
import { useClaim } from './fates-sql.ts'

/** What a sign-up has come to; the claim's fate is decided with `inserted`, which commits. */
export type SignUpStep =
  | 'resolved'
  | 'placed'
  | 'claimed'
  | 'inserting'
  | 'inserted'
  | 'committed'
  | 'confirmed'

/** What a sign-up is given. */
export interface SignUpOptions {
  /** On an executor that reaches the shards. */
  readonly directory: Pick<Directory, 'resolve' | 'claim' | 'confirm' | 'release'>
  /** A `Placer`, or whatever mints an id on a shard with room. */
  readonly placer: { place(call?: { signal?: AbortSignal | undefined }): Promise<{ readonly id: Id }> }
  /** The one that routes to the accounts. */
  readonly executor: Executor
  readonly key: string
  /**
   * Inserts the account, in the transaction that it is given, which is on the id's shard. It may run more than
   * once, each time with another id; only one is committed.
   */
  readonly insert: (tx: Executor, id: Id) => Promise<unknown>
  /** How long the claim stands while the account is not inserted: 1 to 86,400,000 (30,000). */
  readonly ttlMs?: number | undefined
  /** Told after each step, and waited for; for traces and tests. */
  readonly onStep?: ((step: SignUpStep) => unknown) | undefined
  readonly signal?: AbortSignal | undefined
}

/** How often it begins again after it was overtaken or lost a connection. */
const MAX_ATTEMPTS = 5

/**
 * Gives a key its account: claims the key, inserts the account on its shard and confirms, and returns the id. A key
 * that has an account returns that one's; `insert` ran with the returned id if this call made the account. Only
 * confirmed ids are returned.
 *
 * Of any number of callers, in one process or many, one makes the account, and the others get its id or
 * `CLAIM_PENDING`. One that dies half-way has made nothing, or an account whose key the next caller confirms; one
 * that is slow for longer than `ttlMs` finds that it may no longer insert, and gets the id of whoever took over.
 * @throws ClaimPendingError (retryable) while another caller is at it
 * @throws BusyError (retryable) if rivals, or broken connections, were in the way again and again
 * @throws ShardError the errors of the databases, of `placer` and of `insert`. After `insert` has failed the key is
 *   free. When the outcome is unknown, call again: the key is then confirmed or free once its claim has expired
 */
export async function signUp(options: SignUpOptions): Promise<Id> {
  const { directory, key, signal, onStep } = options
  checkInteger('ttlMs', options.ttlMs ?? 30_000, 1, 86_400_000)
  if (typeof options.insert !== 'function') throw new InvalidArgumentError('insert must be a function')
  let overtaken: unknown = null
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    checkSignal(signal)
    const owner = await directory.resolve(key, { fresh: true, signal })
    await onStep?.('resolved')
    if (owner !== null) return owner
    const claim = await claimNew(options)
    if (!claim.won && claim.state === 'confirmed') return claim.id
    if (!claim.won) throw new ClaimPendingError(Math.max(claim.expiresInMs ?? 0, 1))
    try {
      await insertAccount(options, claim)
    } catch (error) {
      overtaken = await undone(options, claim, error)
      continue
    }
    await onStep?.('committed')
    // Without a pending entry of its token somebody else has confirmed it, or moved it since: ask again.
    if (!(await again(() => directory.confirm(key, tokenOf(claim), { signal })))) continue
    await onStep?.('confirmed')
    return claim.id
  }
  throw new BusyError(overtaken ?? new Error('rivals took the key over again and again'))
}

async function claimNew({
  directory,
  placer,
  key,
  ttlMs = 30_000,
  signal,
  onStep,
}: SignUpOptions): Promise<Claim> {
  const { id } = await placer.place({ signal })
  await onStep?.('placed')
  // With its own token a claim can be repeated after a lost reply.
  const token = crypto.randomUUID()
  const claim = await again(() => directory.claim(key, id, { token, ttlMs, signal }))
  await onStep?.('claimed')
  return claim
}

/** The account and the fate of its claim commit together. */
async function insertAccount(
  { executor, insert, signal, onStep }: SignUpOptions,
  claim: Claim,
): Promise<void> {
  const work = async (tx: Executor): Promise<void> => {
    await onStep?.('inserting')
    await useClaim(tx, { id: claim.id, token: tokenOf(claim) }, { signal })
    await insert(tx, claim.id)
    await onStep?.('inserted')
  }
  await executor.transaction(work, { route: { key: claim.id }, signal })
}

/**
 * What is to be done after the account may not have been inserted: returns if the sign-up is to begin again, and
 * throws where that would not help. Releasing decides: it revokes the claim, or confirms it if the account is there.
 */
async function undone(
  { directory, key, signal }: SignUpOptions,
  claim: Claim,
  error: unknown,
): Promise<unknown> {
  if (signal?.aborted) throw error
  await directory.release(key, claim.id, claim.version, { signal }).catch(() => {
    throw error
  })
  const isWorthAnother = isShardError(error) && (error.retryable || error.outcome === 'unknown')
  if (isWorthAnother || isShardError(error, 'CLAIM_REVOKED')) return error
  throw error
}

/** Repeats a step that can be repeated, a few times. */
async function again<T>(step: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await step()
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isShardError(error) || !error.retryable) throw error
    }
  }
}

function tokenOf({ token = '' }: Claim): string {
  return token
}
