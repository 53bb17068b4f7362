import { type Clock, checkSignal, type Id } from '@shard/core'
import type { Entry } from './directory.ts'
import type { EntryStore, Group, NewEntry, NewOwner, Page, StoredEntry } from './entry-store.ts'

/** An entry as it is kept. */
type Row = Omit<StoredEntry, 'leftMs'>

/** The entries of any number of directories in memory: by namespace, then by key. */
export type MemoryEntries = Map<string, Map<string, Row>>

/** Entries in a map: each step ends before another begins. */
export function memoryStore(entries: MemoryEntries, namespace: string, clock: Clock): EntryStore {
  const rows = entries.get(namespace) ?? new Map<string, Row>()
  entries.set(namespace, rows)
  const atOnce = <T>(signal: AbortSignal | undefined, work: () => T): Promise<T> => step(signal, work)
  const entriesOf: EntryStore['entriesOf'] = (keys, signal) =>
    atOnce(signal, () => onFile(rows, keys, clock.now()))
  return {
    idOf: (key, signal) => atOnce(signal, () => confirmedId(rows.get(key))),
    idsOf: (keys, signal) => atOnce(signal, () => confirmedIds(rows, keys)),
    entriesOf,
    currentEntriesOf: entriesOf,
    insert: (made, signal) =>
      atOnce(signal, () => {
        insertAll(rows, made, clock.now())
        return onFile(rows, keysOf(made), clock.now())
      }),
    confirm: (group, owner, signal) => atOnce(signal, () => confirm(rows, group, owner, clock.now())),
    remove: (group, signal) => atOnce(signal, () => remove(rows, group)),
    replace: (groups, made, signal) => atOnce(signal, () => replace(rows, groups, made, clock.now())),
    addSpelling: (entry, key, normaliser, signal) =>
      atOnce(signal, () => addSpelling(rows, entry, key, normaliser)),
    drop: (entry, signal) => atOnce(signal, () => isUnchanged(rows, entry) && rows.delete(entry.key)),
    keysOf: (id, signal) => atOnce(signal, () => keysOf(sorted(rows).filter((row) => row.id === id))),
    page: (page, signal) => atOnce(signal, () => pageOf(rows, page, clock.now())),
  }
}

type Rows = Map<string, Row>

/** One step that nothing in this process can come between. */
async function step<T>(signal: AbortSignal | undefined, work: () => T): Promise<T> {
  checkSignal(signal)
  return work()
}

function onFile(rows: Rows, keys: readonly string[], nowMs: number): StoredEntry[] {
  const found = keys.flatMap((key) => rows.get(key) ?? [])
  return found.map((row) => ({ ...row, leftMs: row.expiresAtMs === null ? null : row.expiresAtMs - nowMs }))
}

/** All or none, but for those that the same claim made before. */
function insertAll(rows: Rows, made: readonly NewEntry[], nowMs: number): void {
  const found = made.flatMap(({ key }) => rows.get(key) ?? [])
  if (found.some(({ id, token }) => id !== made[0]?.id || token !== made[0]?.token)) return
  const [before] = found
  for (const { ttlMs, ...entry } of made) {
    const expiresAtMs = ttlMs === null ? null : nowMs + ttlMs
    const row = before ? { ...before, key: entry.key, normaliser: entry.normaliser } : null
    if (!rows.has(entry.key)) rows.set(entry.key, row ?? { ...entry, updatedAtMs: nowMs, expiresAtMs })
  }
}

function groupOf(rows: Rows, { id, version, state }: Group): Row[] {
  return [...rows.values()].filter((row) => row.id === id && row.version === version && row.state === state)
}

function confirm(rows: Rows, group: Group, owner: NewOwner | null, nowMs: number): boolean {
  const found = groupOf(rows, group)
  const changed = owner && { ...owner, updatedAtMs: nowMs }
  for (const row of found) rows.set(row.key, { ...row, ...changed, state: 'confirmed', expiresAtMs: null })
  return found.length > 0
}

function remove(rows: Rows, group: Group): boolean {
  const found = groupOf(rows, group)
  for (const { key } of found) rows.delete(key)
  return found.length > 0
}

function replace(rows: Rows, groups: readonly Group[], made: readonly NewEntry[], nowMs: number): boolean {
  const going = groups.map((group) => groupOf(rows, group))
  if (going.some((found) => found.length === 0)) return false
  const gone = new Set(keysOf(going.flat()))
  if (made.some(({ key }) => rows.has(key) && !gone.has(key))) return false
  for (const key of gone) rows.delete(key)
  insertAll(rows, made, nowMs)
  return true
}

function addSpelling(rows: Rows, entry: StoredEntry, key: string, normaliser: number): boolean {
  const row = rows.get(entry.key)
  const rival = rows.get(key)
  if (!row || !isUnchanged(rows, entry) || (rival && rival.id !== row.id)) return false
  if (!rival || key === entry.key) rows.set(key, { ...row, key, normaliser })
  return true
}

function isUnchanged(rows: Rows, { key, id, version, state }: StoredEntry): boolean {
  const row = rows.get(key)
  return row?.id === id && row.version === version && row.state === state
}

function confirmedId(row: Row | undefined): Id | null {
  return row?.state === 'confirmed' ? row.id : null
}

function confirmedIds(rows: Rows, keys: readonly string[]): Map<string, Id> {
  const ids = keys.map((key) => [key, confirmedId(rows.get(key))] as const)
  return new Map(ids.filter((pair): pair is [string, Id] => pair[1] !== null))
}

function keysOf(rows: readonly { readonly key: string }[]): string[] {
  return rows.map(({ key }) => key)
}

function pageOf(rows: Rows, { after, limit, olderThanMs }: Page, nowMs: number): Entry[] {
  const start = after === null ? '' : bytesOf(after)
  return sorted(rows)
    .filter(({ key, updatedAtMs }) => bytesOf(key) > start && updatedAtMs <= nowMs - olderThanMs)
    .slice(0, limit)
    .map(({ token: _, ...entry }) => entry)
}

/** In the order of the databases: by the bytes of the keys. */
function sorted(rows: Rows): Row[] {
  return [...rows.values()].sort((a, b) => (bytesOf(a.key) < bytesOf(b.key) ? -1 : 1))
}

/** A text's UTF-8 bytes as text, one unit a byte. */
function bytesOf(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text))
}
