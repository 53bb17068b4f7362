import { BusyError, ClaimPendingError, checkBigint, type Id, KeyTakenError, MAX_ID } from '@shard/core'
import { endPending, entriesFor, MAX_ATTEMPTS, randomVersion } from './claim-end.ts'
import type { Directory, Fate } from './directory.ts'
import type { DirectoryParts } from './directory-over.ts'
import type { NewEntry, StoredEntry } from './entry-store.ts'
import { inOrder } from './lookups.ts'
import { type Spelling, textsOf } from './spellings.ts'

type Changes = Pick<Directory, 'release' | 'move' | 'put'>
type Signal = AbortSignal | undefined

/** What an entry must still be for a change to happen. */
interface Expected {
  readonly id: Id
  readonly version: bigint | undefined
}

/** A change of an entry whose claim cannot go on: true or false ends the call, null begins it again. */
type Change = (entry: StoredEntry, fate: Fate | null) => Promise<boolean | null>

/** The part of a directory that changes what is on file. */
export function changes(parts: DirectoryParts): Changes {
  const { store, spellings } = parts
  return {
    async release(key, expectedId, expectedVersion, { signal } = {}) {
      const wanted = expected(expectedId, expectedVersion)
      return changed(parts, spellings.of(key), wanted, signal, async (entry, fate) => {
        if (fate !== 'used') return (await store.remove(entry, signal)) || null
        await store.confirm(entry, null, signal)
        return false
      })
    },

    async move(key, expectedId, newId, expectedVersion, { signal } = {}) {
      const spelled = spellings.of(key)
      checkBigint('the new id', newId, 1n, MAX_ID)
      const owner = { id: newId, token: crypto.randomUUID(), version: randomVersion() }
      const wanted = expected(expectedId, expectedVersion)
      return changed(
        parts,
        spelled,
        wanted,
        signal,
        async (entry) => (await store.confirm(entry, owner, signal)) || null,
      )
    },

    async put(key, id, { force = false, signal } = {}) {
      const spelled = spellings.all(key)
      const entries = entriesFor(spelled, id)
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++)
        if (await isPut(parts, spelled, entries, force, signal)) return
      throw overtaken()
    },
  }
}

/** Changes the entry that is wanted, after ending its claim if it is pending; false if there is none. */
async function changed(
  parts: DirectoryParts,
  spelled: readonly Spelling[],
  wanted: Expected,
  signal: Signal,
  change: Change,
): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const onFile = inOrder(spelled, await parts.store.currentEntriesOf(textsOf(spelled), signal))
    const entry = onFile.find((one) => isWanted(one, wanted))
    if (!entry) return false
    const fate = entry.state === 'pending' ? await decided(parts, entry, signal) : null
    const end = await change(entry, fate)
    if (end !== null) return end
  }
  throw overtaken()
}

/** One attempt; false if rivals came in between. */
async function isPut(
  parts: DirectoryParts,
  spelled: readonly Spelling[],
  entries: readonly NewEntry[],
  force: boolean,
  signal: Signal,
): Promise<boolean> {
  const { store, fates } = parts
  const [{ id, token }] = entries as [NewEntry]
  const onFile = inOrder(entries, await store.insert(entries, signal))
  const others = onFile.filter((entry) => entry.token !== token)
  if (others.length === 0) return onFile.length === entries.length
  const foreign = others.find((entry) => entry.id !== id)
  if (!foreign) return allConfirmed(parts, others, signal)
  const isLocked = others.some((entry) => isLock(entry, spelled) && entry.id !== id)
  if (force && !isLocked) return overwritten(parts, others, entries, signal)
  if (foreign.leftMs === null || foreign.leftMs > 0 || !fates) throw new KeyTakenError(foreign.id)
  await endPending(store, fates, foreign, signal)
  return false
}

async function allConfirmed(
  { store }: DirectoryParts,
  entries: readonly StoredEntry[],
  signal: Signal,
): Promise<boolean> {
  for (const entry of entries)
    if (entry.state === 'pending' && !(await store.confirm(entry, null, signal))) return false
  return true
}

/** Puts entries in the place of others, which no account can be inserted for from then on. */
async function overwritten(
  parts: DirectoryParts,
  others: readonly StoredEntry[],
  entries: readonly NewEntry[],
  signal: Signal,
): Promise<boolean> {
  for (const entry of others) if (entry.state === 'pending') await decided(parts, entry, signal)
  const groups = new Map(others.map((entry) => [entry.version, entry]))
  return parts.store.replace([...groups.values()], entries, signal)
}

/** Decides a pending claim, whether it has expired or not. */
async function decided({ fates }: DirectoryParts, entry: StoredEntry, signal: Signal): Promise<Fate> {
  if (!fates) throw new ClaimPendingError(Math.max(entry.leftMs ?? 0, 1))
  return fates.settle(entry.id, entry.token, 'revoked', signal)
}

/** What is on file only for a key that will be one with this one is nobody's to overwrite. */
function isLock(entry: StoredEntry, spelled: readonly Spelling[]): boolean {
  return spelled.some(({ key, isLock }) => isLock && key === entry.key)
}

function isWanted({ id, version }: StoredEntry, wanted: Expected): boolean {
  return id === wanted.id && (wanted.version === undefined || version === wanted.version)
}

function overtaken(): BusyError {
  return new BusyError(new Error('rivals changed the entry again and again'))
}

function expected(id: bigint, version: bigint | undefined): Expected {
  checkBigint('the expected id', id, 1n, MAX_ID)
  if (version !== undefined) checkBigint('the expected version', version, 1n, MAX_ID)
  return { id, version }
}
