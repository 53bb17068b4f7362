import { isShardError } from '@shard/core'
import type { Directory } from './directory.ts'
import type { DirectoryParts } from './directory-over.ts'
import type { StoredEntry } from './entry-store.ts'
import { checkKey } from './natural-key.ts'
import type { Respelling } from './respelling.ts'
import type { Spellings } from './spellings.ts'

type Signal = AbortSignal | undefined

/** How an entry comes to a new spelling. */
export function respells(parts: DirectoryParts): Pick<Directory, 'respell'> {
  const { store, spellings } = parts
  return {
    async respell(storedKey, { dryRun = false, signal } = {}): Promise<Respelling> {
      const key = checkKey(storedKey)
      const [entry] = await store.currentEntriesOf([key], signal)
      if (!entry) return { result: 'gone' }
      if (entry.normaliser >= spellings.primary.version) return { result: 'current' }
      const isLive = spellings.versioned(entry.normaliser) !== null
      if (await hasSibling(parts, entry, signal)) {
        if (!isLive && !dryRun) await store.drop(entry, signal)
        return { result: 'redundant' }
      }
      if (!isLive) return { result: 'unknown' }
      const spelling = spellingOf(entry, spellings)
      if (spelling === null || entry.state === 'pending') return { result: 'waiting' }
      return respelled(parts, entry, spelling, dryRun, signal)
    },
  }
}

async function respelled(
  { store, spellings }: DirectoryParts,
  entry: StoredEntry,
  spelling: string,
  dryRun: boolean,
  signal: Signal,
): Promise<Respelling> {
  const { key, id } = entry
  const [rival] = spelling === key ? [] : await store.currentEntriesOf([spelling], signal)
  if (rival && rival.id !== id)
    return { result: 'collision', collision: { key, id, spelling, rivalId: rival.id } }
  const isDone = dryRun || (await store.addSpelling(entry, spelling, spellings.primary.version, signal))
  if (!isDone) return { result: 'gone' }
  return { result: spelling === key ? 'current' : 'respelled' }
}

/** Is the key on file for the same id under the primary normaliser's spelling too, by the same claim or another? */
async function hasSibling(
  { store, spellings }: DirectoryParts,
  entry: StoredEntry,
  signal: Signal,
): Promise<boolean> {
  const own = await store.currentEntriesOf(await store.keysOf(entry.id, signal), signal)
  const spelling = spellingOf(entry, spellings)
  return own.some(
    ({ id, key, version, normaliser }) =>
      id === entry.id &&
      key !== entry.key &&
      normaliser >= spellings.primary.version &&
      (version === entry.version || key === spelling),
  )
}

/** What the primary normaliser makes of an entry that another has made; null if that cannot be told. */
function spellingOf({ key, normaliser }: StoredEntry, { primary, versioned }: Spellings): string | null {
  if (versioned(normaliser)?.fold.isOneWay) return null
  try {
    return checkKey(primary.fold(key))
  } catch (error) {
    // What was a key is none under the new normaliser: it can no longer be presented either.
    if (isShardError(error, 'INVALID_KEY')) return null
    throw error
  }
}
