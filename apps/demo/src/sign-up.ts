import { type Id, isShardError } from '@shard/core'
import { emailKey } from '@shard/directory'
import { accountOf } from './accounts.ts'
import type { Fleet } from './fleet.ts'
import type { AccountRow } from './schema.ts'

/**
 * The account ids of some addresses, by the directory's key, and how many of them are new. An address without
 * one waits: no shard that can be reached has room.
 */
export interface SignedUp {
  readonly ids: ReadonlyMap<string, Id>
  readonly newCount: number
}

/**
 * Gives each address an id: the one on file, or one on a shard that admits accounts. The claims are one
 * transaction, and an id counts once they are committed, not before. The account row comes after: whoever
 * resolves an address and finds no row on the id's shard inserts it, so a crash in between loses nothing.
 * Rivals for an address agree, since each takes the id on file.
 */
export async function signUp(fleet: Fleet, emails: readonly string[]): Promise<SignedUp> {
  const { executor } = fleet
  const keys = [...new Set(emails.map(emailKey))]
  const ids = new Map<string, Id>()
  const strangers: string[] = []
  for (const [key, id] of await fleet.directory(executor).resolveMany(keys)) {
    if (id === null) strangers.push(key)
    else ids.set(key, id)
  }
  const placed = await placeAll(fleet, strangers)
  if (placed.size > 0) {
    await executor.transaction(async (tx) => {
      const directory = fleet.directory(tx)
      for (const [key, id] of placed) ids.set(key, (await directory.claim(key, id)).id)
    })
  }
  return { ids, newCount: placed.size }
}

/** A new id for each key, or for those that there is room for while a shard cannot be reached. */
async function placeAll(fleet: Fleet, keys: readonly string[]): Promise<ReadonlyMap<string, Id>> {
  const placed = new Map<string, Id>()
  try {
    for (const key of keys) placed.set(key, (await fleet.placer.place()).id)
  } catch (error) {
    if (fleet.outages.size === 0 || !isShardError(error, 'NO_SHARD_AVAILABLE')) throw error
  }
  return placed
}

/** The account of an address, or null: one look in the directory, one on its shard. */
export async function logIn(fleet: Fleet, email: string): Promise<AccountRow | null> {
  const id = await fleet.directory(fleet.executor).resolve(email)
  return id === null ? null : accountOf(fleet.executor, id)
}
