import type { Id } from '@shard/core'
import type { Respelling } from './respelling.ts'

/** `confirmed`: the key is the id's. `pending`: reserved for the id; `resolve` does not show it. */
export type EntryState = 'confirmed' | 'pending'

/** What became of a claim: `used` once its account is inserted, `revoked` when a challenger came first. */
export type Fate = 'used' | 'revoked'

/** What is on file for a key. */
export interface Entry {
  /** As stored: the normalised spelling. */
  readonly key: string
  readonly id: Id
  readonly state: EntryState
  /** Random, and new with each claim, move and forced put; a confirmation keeps it. It names the claim. */
  readonly version: bigint
  /** The version of the normaliser that spelled the key. */
  readonly normaliser: number
  /** When the key got this id, by the database's clock. */
  readonly updatedAtMs: number
  /** When others may challenge a pending claim, by the database's clock; null for a confirmed one. */
  readonly expiresAtMs: number | null
}

/** How a claim ended. */
export interface Claim {
  /** The id on file: the caller's if it won, the owner's if it lost. */
  readonly id: Id
  /** True if the entry on file is this claim: its id and its token. */
  readonly won: boolean
  readonly state: EntryState
  /** Of the entry on file; give it to `release` to undo this very claim. */
  readonly version: bigint
  /** The winner's own, for `confirm` and for the fate of the claim. */
  readonly token?: string
  /** Of a pending claim: when others may challenge it, by the database's clock. */
  readonly expiresAtMs?: number
  /** The same as the time that was left when the database answered; below zero once it is over. */
  readonly expiresInMs?: number
}

/** What every call takes. */
export interface DirectoryCall {
  readonly signal?: AbortSignal | undefined
}

/** What `resolve` takes. */
export interface ResolveOptions extends DirectoryCall {
  /** Asks the database, whatever a cache in between may know; for credentials. */
  readonly fresh?: boolean | undefined
}

/** What a claim takes. */
export interface ClaimOptions extends DirectoryCall {
  /**
   * Text of 1 to 64 characters that no other claim has, such as a UUID; random unless given. It serves one
   * key of one namespace only. A caller that keeps it can repeat the claim after a lost reply and learn that
   * it had won.
   */
  readonly token?: string | undefined
  /** Makes the claim pending, and open to challenge after this time: 1 to 86,400,000. Confirmed at once if not given. */
  readonly ttlMs?: number | undefined
}

/** What `put` takes. */
export interface PutOptions extends DirectoryCall {
  /** Takes the key from its owner. */
  readonly force?: boolean | undefined
}

/** What `respell` takes. */
export interface RespellOptions extends DirectoryCall {
  /** Says what would happen, and changes nothing. */
  readonly dryRun?: boolean | undefined
}

/** Which page of the directory. */
export interface ListOptions extends DirectoryCall {
  /** The last key of the page before, as it was returned. */
  readonly after?: string | undefined
  /** 1 to 10,000 (1,000). */
  readonly limit?: number | undefined
  /** Leaves out entries that are younger, by the database's clock (0). */
  readonly olderThanMs?: number | undefined
}

/**
 * Natural keys to ids, in one namespace: each key has at most one id.
 *
 * Every key goes through the directory's normaliser first. Every method rejects with `INVALID_KEY` for
 * text that cannot be a key and `INVALID_ARGUMENT` for other bad arguments, before any I/O.
 * A write whose `outcome` is `unknown` may be on file: repeat a claim with its token, and `lookup` after the rest.
 *
 * A pending claim is ended through its fate, a row on the shard of its id: only what is `revoked` there is
 * freed, and what is `used` there is confirmed. A directory that cannot reach the shards rejects with
 * `CLAIM_PENDING` where it would have to end one.
 */
export interface Directory {
  /** The id that owns a key, or null. A key found under an older normaliser only gets its new spelling. */
  resolve(key: string, options?: ResolveOptions): Promise<Id | null>

  /** The entry of a key whatever its state, or null. */
  lookup(key: string, call?: DirectoryCall): Promise<Entry | null>

  /**
   * Resolves any number of keys, 1,000 a query. The map has each key under the spelling that was given,
   * in that order, with null where it has no owner. The queries are not one snapshot.
   */
  resolveMany(keys: readonly string[], call?: DirectoryCall): Promise<Map<string, Id | null>>

  /**
   * Takes a key for an id if it is free: confirmed at once, or with `ttlMs` pending until `confirm`. Among any
   * number of racers, in one process or many, one wins and the others get its id, also while the winner's
   * transaction is still open. A repeated claim wins again only with the same id and token.
   *
   * A pending claim that has expired is challenged: if its account was inserted it is confirmed and this one
   * loses; if not, it is revoked and this one takes its place. A winner that dies is so replaced, and one that
   * is merely slow can no longer insert.
   * @throws InvalidArgumentError for `ttlMs` in a directory that cannot reach the shards
   * @throws KeyTakenError, ClaimPendingError if another has what will be one key with this one under a normaliser
   *   that is live but not primary yet
   * @throws BusyError (retryable) if the key was taken and released under this call again and again
   */
  claim(key: string, id: Id, options?: ClaimOptions): Promise<Claim>

  /**
   * Confirms the pending claim of a token; call it once the account is committed. True if the token's claim is
   * on file and confirmed now, by this call or before; false if it is gone.
   */
  confirm(key: string, token: string, call?: DirectoryCall): Promise<boolean>

  /**
   * Ends a claim of this version on the shard of its id, as a challenger would, and says how: a pending entry
   * is then confirmed (`used`) or freed (`revoked`). `open`: the claim has not expired, and nothing changed.
   * null: the entry is another by now. A confirmed entry stays as it is, but no account can be inserted for a
   * revoked claim any more. Of racers, all get the same fate.
   * @throws InvalidArgumentError if the directory cannot reach the shards
   */
  settle(key: string, expectedVersion: bigint, call?: DirectoryCall): Promise<Fate | 'open' | null>

  /**
   * Frees a key if it has this id and, when given, this version. True if this call freed it; one of many
   * racers does. Without a version, a call that was delayed can free a newer claim by the same id. A pending
   * claim, expired or not, is revoked first; if its account was inserted it is confirmed instead: false.
   */
  release(key: string, expectedId: Id, expectedVersion?: bigint, call?: DirectoryCall): Promise<boolean>

  /**
   * Gives a key to another id if it has the expected one and, when given, this version; confirmed. True if
   * this call moved it; one of many racers does. At no moment is the key free.
   */
  move(
    key: string,
    expectedId: Id,
    newId: Id,
    expectedVersion?: bigint,
    call?: DirectoryCall,
  ): Promise<boolean>

  /** All keys of an id, as stored, in the order of their UTF-8 bytes; one per live normaliser that spells it apart. */
  keysOf(id: Id, call?: DirectoryCall): Promise<string[]>

  /** A page of entries in the order of their keys' UTF-8 bytes. An empty page is the end. */
  list(options?: ListOptions): Promise<Entry[]>

  /**
   * Sets a key's id, confirmed; for imports and repairs. Changes nothing if the id is on file. With `force` the
   * last of many racers stays on file, and each replaces exactly the entry it saw.
   * @throws KeyTakenError if the key is another id's, or claimed for it, and `force` is not set
   * @throws BusyError (retryable) if rivals changed the entry under this call again and again
   */
  put(key: string, id: Id, options?: PutOptions): Promise<void>

  /**
   * Adds the spelling of the first live normaliser to the claim of one entry, or drops an old one that is no longer
   * needed; `renormalise` does it for all. `storedKey` is a key as `list` gives it. It never takes a key from an
   * owner: that is a `collision`, and nothing changes.
   */
  respell(storedKey: string, options?: RespellOptions): Promise<Respelling>
}
