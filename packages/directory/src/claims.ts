import {
  BusyError,
  ClaimPendingError,
  checkBigint,
  checkInteger,
  checkSignal,
  checkText,
  InvalidArgumentError,
  KeyTakenError,
  MAX_ID,
} from '@shard/core'
import { endPending, entriesFor, MAX_ATTEMPTS } from './claim-end.ts'
import type { ClaimFates } from './claim-fates.ts'
import type { Claim, Directory } from './directory.ts'
import type { DirectoryParts } from './directory-over.ts'
import type { NewEntry, StoredEntry } from './entry-store.ts'
import { inOrder } from './lookups.ts'
import { type Spelling, textsOf } from './spellings.ts'

type Claims = Pick<Directory, 'claim' | 'confirm' | 'settle'>

/** The longest that a claim may be pending, in milliseconds: a day. */
const MAX_TTL_MS = 86_400_000

/** Claims and how they end. */
export function claims(parts: DirectoryParts): Claims {
  const { store, spellings, fates } = parts
  return {
    async claim(key, id, { token, ttlMs, signal } = {}) {
      const spelled = spellings.all(key)
      const entries = entriesFor(spelled, id, token, checkTtl(ttlMs, fates))
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const onFile = await store.insert(entries, signal)
        const rival = rivalOf(entries, onFile)
        if (rival === 'none') return wonBy(entries, onFile)
        if (rival === 'gone') continue
        const end = await challenge(parts, rival, signal)
        if (end !== 'freed') return lostTo(end, spelled)
      }
      throw overtaken()
    },

    async confirm(key, token, { signal } = {}) {
      const spelled = spellings.of(key)
      checkText('a token', token, 64)
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const onFile = await store.currentEntriesOf(textsOf(spelled), signal)
        const own = onFile.find((entry) => entry.token === token)
        if (!own) return false
        if (own.state === 'confirmed' || (await store.confirm(own, null, signal))) return true
      }
      throw overtaken()
    },

    async settle(key, expectedVersion, { signal } = {}) {
      const spelled = spellings.of(key)
      checkBigint('the expected version', expectedVersion, 1n, MAX_ID)
      if (!fates) throw unreachable('settle')
      const entries = inOrder(spelled, await store.currentEntriesOf(textsOf(spelled), signal))
      const entry = entries.find(({ version }) => version === expectedVersion)
      if (!entry || (entry.leftMs ?? 0) > 0) return entry ? 'open' : null
      return endPending(store, fates, entry, signal)
    },
  }
}

/** Ends a rival that has expired, or whose account is there; says who has the key then. */
async function challenge(
  { store, fates }: DirectoryParts,
  rival: StoredEntry,
  signal: AbortSignal | undefined,
): Promise<StoredEntry | 'freed'> {
  if (rival.state === 'confirmed' || !fates) return rival
  if ((rival.leftMs ?? 0) > 0 && !(await isUsed(fates, rival, signal))) return rival
  const fate = await endPending(store, fates, rival, signal)
  return fate === 'used' ? { ...rival, state: 'confirmed', expiresAtMs: null, leftMs: null } : 'freed'
}

/** Has the account been inserted? A shard that does not say leaves the claim its time. */
async function isUsed(
  fates: ClaimFates,
  { id, token }: StoredEntry,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const fate = await fates.read(id, token, signal).catch(() => null)
  checkSignal(signal)
  return fate === 'used'
}

/** Who stands in the way of a claim; `gone` if a key was freed right after the insert. */
function rivalOf(
  entries: readonly NewEntry[],
  onFile: readonly StoredEntry[],
): StoredEntry | 'none' | 'gone' {
  const found = inOrder(entries, onFile)
  const rival = found.find(({ id, token }) => id !== entries[0]?.id || token !== entries[0]?.token)
  return rival ?? (found.length === entries.length ? 'none' : 'gone')
}

function wonBy(entries: readonly NewEntry[], onFile: readonly StoredEntry[]): Claim {
  const [own] = onFile as [StoredEntry]
  return { ...partsOf(own), won: true, token: entries[0]?.token ?? own.token }
}

/** Whoever only has what will be one key with this one does not have this one. */
function lostTo(rival: StoredEntry, spelled: readonly Spelling[]): Claim {
  if (!spelled.some(({ key, isLock }) => isLock && key === rival.key))
    return { ...partsOf(rival), won: false }
  throw rival.leftMs === null ? new KeyTakenError(rival.id) : new ClaimPendingError(Math.max(rival.leftMs, 1))
}

function partsOf({ id, state, version, expiresAtMs, leftMs }: StoredEntry): Omit<Claim, 'won'> {
  const isPending = expiresAtMs !== null && leftMs !== null
  return { id, state, version, ...(isPending && { expiresAtMs, expiresInMs: leftMs }) }
}

function checkTtl(ttlMs: number | undefined, fates: ClaimFates | null): number | null {
  if (ttlMs === undefined) return null
  checkInteger('ttlMs', ttlMs, 1, MAX_TTL_MS)
  if (!fates) throw unreachable('ttlMs')
  return ttlMs
}

function unreachable(what: string): InvalidArgumentError {
  return new InvalidArgumentError(
    `${what} needs a directory that reaches the shards, where the fates of claims are: one on a sharded executor, or with accountsHere`,
  )
}

function overtaken(): BusyError {
  return new BusyError(new Error('rivals changed the entry again and again'))
}
