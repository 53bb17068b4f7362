import type { Id } from '@shard/core'

/** `confirmed`: the key is the id's. `pending`: reserved for the id; `resolve` does not show it. */
export type EntryState = 'confirmed' | 'pending'

/** What is on file for a key. */
export interface Entry {
  /** As stored: the normalised spelling. */
  readonly key: string
  readonly id: Id
  readonly state: EntryState
  /** Random, and new with each write: no two claims of a key share one, also when the id is the same. */
  readonly version: bigint
  /** When the key got this id, by the database's clock. */
  readonly updatedAtMs: number
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
}

/** What every call takes. */
export interface DirectoryCall {
  readonly signal?: AbortSignal | undefined
}

/** What a claim takes. */
export interface ClaimOptions extends DirectoryCall {
  /**
   * Text of 1 to 64 characters that no other claim has, such as a UUID; random unless given.
   * A caller that keeps it can repeat the claim after a lost reply and learn that it had won.
   */
  readonly token?: string | undefined
}

/** What `put` takes. */
export interface PutOptions extends DirectoryCall {
  /** Takes the key from its owner. */
  readonly force?: boolean | undefined
}

/** Which page of the directory. */
export interface ListOptions extends DirectoryCall {
  /** The last key of the page before, as it was returned. */
  readonly after?: string | undefined
  /** 1 to 10,000 (1,000). */
  readonly limit?: number | undefined
}

/**
 * Natural keys to ids, in one namespace: each key has at most one id.
 *
 * Every key goes through the directory's normaliser first. Every method rejects with `INVALID_KEY` for
 * text that cannot be a key and `INVALID_ARGUMENT` for other bad arguments, before any I/O.
 * A write whose `outcome` is `unknown` may be on file: repeat a claim with its token, and `lookup` after the rest.
 */
export interface Directory {
  /** The id that owns a key, or null. */
  resolve(key: string, call?: DirectoryCall): Promise<Id | null>

  /** The entry of a key whatever its state, or null. */
  lookup(key: string, call?: DirectoryCall): Promise<Entry | null>

  /**
   * Resolves any number of keys, 1,000 a query. The map has each key under the spelling that was given,
   * in that order, with null where it has no owner. The queries are not one snapshot.
   */
  resolveMany(keys: readonly string[], call?: DirectoryCall): Promise<Map<string, Id | null>>

  /**
   * Takes a key for an id if it is free, confirmed at once. Among any number of racers, in one process or
   * many, one wins and the others get its id, also while the winner's transaction is still open. A winner
   * that dies after its claim keeps the key. A repeated claim wins again only with the same id and token.
   * @throws BusyError (retryable) if the key was taken and released under this call again and again
   */
  claim(key: string, id: Id, options?: ClaimOptions): Promise<Claim>

  /**
   * Frees a key if it has this id and, when given, this version. True if this call freed it; one of many
   * racers does. Without a version, a call that was delayed can free a newer claim by the same id.
   */
  release(key: string, expectedId: Id, expectedVersion?: bigint, call?: DirectoryCall): Promise<boolean>

  /**
   * Gives a key to another id if it has the expected one and, when given, this version. True if this call
   * moved it; one of many racers does. At no moment is the key free.
   */
  move(
    key: string,
    expectedId: Id,
    newId: Id,
    expectedVersion?: bigint,
    call?: DirectoryCall,
  ): Promise<boolean>

  /** All keys of an id, as stored, in the order of their UTF-8 bytes. */
  keysOf(id: Id, call?: DirectoryCall): Promise<string[]>

  /** A page of entries in the order of their keys' UTF-8 bytes. An empty page is the end. */
  list(options?: ListOptions): Promise<Entry[]>

  /**
   * Sets a key's id; for imports and repairs. Changes nothing if the id is on file. With `force` the last of
   * many racers stays on file, and each replaces exactly the entry it saw.
   * @throws KeyTakenError if the key is another id's and `force` is not set
   * @throws BusyError (retryable) if rivals changed the entry under this call again and again
   */
  put(key: string, id: Id, options?: PutOptions): Promise<void>
}
