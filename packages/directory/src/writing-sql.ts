import type { Executor, Result, Statement } from '@shard/core'
import { dialectOf, retryRefused, run } from '@shard/sql'
import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely'
import { unsettled } from './claim-end.ts'
import { directoryDialectOf } from './dialects-sql.ts'
import type { EntryStore, Group, NewEntry, StoredEntry } from './entry-store.ts'
import { builder, type StoredRow, storedOf, storedRowsOf, type Tables, type Where } from './rows-sql.ts'

type Writing = Omit<EntryStore, 'idOf' | 'idsOf' | 'entriesOf' | 'keysOf' | 'page'>
type Signal = AbortSignal | undefined

/** The steps of a store that write: each is one statement, or a transaction of its own or inside the caller's. */
export function writing(where: Where): Writing {
  const { executor, retry } = where
  const again = <T>(step: () => Promise<T>, signal: Signal): Promise<T> => retryRefused(step, retry, signal)
  const changes = (group: Group, statement: Statement, signal: Signal): Promise<boolean> =>
    again(() => changeGroup(where, group, statement, signal), signal)
  const current = (keys: readonly string[], signal: Signal): Promise<StoredEntry[]> =>
    again(() => currentEntries(where, keys, signal), signal)
  return {
    currentEntriesOf: current,
    async insert(entries, signal) {
      const keys = entries.map(({ key }) => key)
      if (entries.length > 1) return again(() => insertTogether(where, entries, signal), signal)
      await again(() => executor.execute(inserting(where, entries), { signal }), signal)
      return current(keys, signal).catch(unsettled)
    },
    confirm: (group, owner, signal) => {
      const { nowMs } = dialectOf(executor)
      const moved = owner && { ...owner, updated_at_ms: nowMs }
      const query = builder(executor)
        .updateTable('shard_directory')
        .set({ ...moved, state: 'confirmed', expires_at_ms: null })
        .where(isGroup(where, group))
      return changes(group, query.compile(), signal)
    },
    remove: (group, signal) => changes(group, removing(where, group), signal),
    replace: (groups, entries, signal) => again(() => replaceAll(where, groups, entries, signal), signal),
    addSpelling: (entry, key, normaliser, signal) =>
      again(() => addOne(where, entry, key, normaliser, signal), signal),
    drop: (entry, signal) => {
      const query = builder(executor).deleteFrom('shard_directory').where(isEntry(where, entry))
      return again(async () => (await run(executor, query, { signal })).affectedRows > 0n, signal)
    },
  }
}

async function currentEntries(where: Where, keys: readonly string[], signal: Signal): Promise<StoredEntry[]> {
  const { current } = directoryDialectOf(where.executor)
  const query = storedRowsOf(where).where('natural_key', 'in', keys).modifyEnd(current)
  const { rows }: Result<StoredRow> = await run(where.executor, query, { signal })
  return rows.map(storedOf)
}

function inserting({ executor, namespace }: Where, entries: readonly NewEntry[]): Statement {
  const { nowMs } = dialectOf(executor)
  const rows = entries.map(({ key, ttlMs, ...entry }) => ({
    namespace,
    natural_key: key,
    ...entry,
    updated_at_ms: nowMs,
    expires_at_ms: ttlMs === null ? null : sql<bigint>`${nowMs} + ${BigInt(ttlMs)}`,
  }))
  const { ifAbsent } = directoryDialectOf(executor)
  return builder(executor)
    .insertInto('shard_directory')
    .values(rows)
    .modifyEnd(ifAbsent.shard_directory)
    .compile()
}

/** Inserts all spellings of a claim, or none: then it gives the entries that are in the way, if they still are. */
async function insertTogether(
  where: Where,
  entries: readonly NewEntry[],
  signal: Signal,
): Promise<StoredEntry[]> {
  // All in one order, so that rivals do not wait for each other.
  const ordered = entries.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  let onFile: StoredEntry[] = []
  const isDone = await inTransaction(where, signal, async (inside) => {
    await inside.executor.execute(inserting(inside, ordered), { signal })
    onFile = await currentEntries(
      inside,
      ordered.map(({ key }) => key),
      signal,
    )
    if (!areAll(onFile, ordered)) return false
    onFile = await asOneGroup(inside, onFile, ordered, signal)
    return true
  })
  return isDone ? onFile : onFile.filter((entry) => !isOf(entry, ordered))
}

/** What is new joins what the same claim has made before, on a directory with fewer normalisers. */
async function asOneGroup(
  where: Where,
  onFile: StoredEntry[],
  [made]: readonly NewEntry[],
  signal: Signal,
): Promise<StoredEntry[]> {
  const before = onFile.find(({ version }) => version !== made?.version)
  if (!made || !before || onFile.every(({ version }) => version === before.version)) return onFile
  const { version, state, expiresAtMs } = before
  const expires_at_ms = expiresAtMs === null ? null : BigInt(expiresAtMs)
  const query = builder(where.executor)
    .updateTable('shard_directory')
    .set({ version, state, expires_at_ms })
    .where(isGroup(where, made))
  await run(where.executor, query, { signal })
  return onFile.map((entry) => ({ ...entry, version, state, expiresAtMs, leftMs: before.leftMs }))
}

async function replaceAll(
  where: Where,
  groups: readonly Group[],
  entries: readonly NewEntry[],
  signal: Signal,
): Promise<boolean> {
  return inTransaction(where, signal, async (inside) => {
    for (const group of groups) {
      const { affectedRows } = await inside.executor.execute(removing(inside, group), { signal })
      if (affectedRows === 0n) return false
    }
    await inside.executor.execute(inserting(inside, entries), { signal })
    return areAll(
      await currentEntries(
        inside,
        entries.map(({ key }) => key),
        signal,
      ),
      entries,
    )
  })
}

/** A spelling that is being added is waited for, and then changed with the others. */
async function changeGroup(
  where: Where,
  group: Group,
  statement: Statement,
  signal: Signal,
): Promise<boolean> {
  const change = async ({ executor }: Where): Promise<boolean> =>
    (await executor.execute(statement, { signal })).affectedRows > 0n
  if (where.isSingle) return change(where)
  return inTransaction(where, signal, async (inside) => {
    const { lock } = directoryDialectOf(inside.executor)
    await run(inside.executor, storedRowsOf(inside).where(isGroup(inside, group)).modifyEnd(lock), { signal })
    return change(inside)
  })
}

async function addOne(
  where: Where,
  entry: StoredEntry,
  key: string,
  normaliser: number,
  signal: Signal,
): Promise<boolean> {
  return inTransaction(where, signal, async (inside) => {
    const { executor, namespace } = inside
    const { lock } = directoryDialectOf(executor)
    const own = builder(executor).selectFrom('shard_directory').selectAll().where(isEntry(inside, entry))
    const [row] = (await run(executor, own.modifyEnd(lock), { signal })).rows
    if (!row) return false
    if (key === entry.key) {
      const update = builder(executor).updateTable('shard_directory').set({ normaliser })
      await run(executor, update.where(isEntry(inside, entry)), { signal })
      return true
    }
    const { ifAbsent } = directoryDialectOf(executor)
    const added = { ...row, namespace, natural_key: key, state: entry.state, token: entry.token, normaliser }
    const insert = builder(executor).insertInto('shard_directory').values(added)
    await run(executor, insert.modifyEnd(ifAbsent.shard_directory), { signal })
    return (await currentEntries(inside, [key], signal))[0]?.id === entry.id
  })
}

/** Runs `work` in a transaction, which is rolled back when it gives false. */
async function inTransaction(
  where: Where,
  signal: Signal,
  work: (inside: Where) => Promise<boolean>,
): Promise<boolean> {
  const undone = new Error('undone')
  const run = async (executor: Executor): Promise<void> => {
    if (!(await work({ ...where, executor }))) throw undone
  }
  try {
    await where.executor.transaction(run, { signal })
    return true
  } catch (error) {
    if (error === undone) return false
    throw error
  }
}

function removing(where: Where, group: Group): Statement {
  return builder(where.executor).deleteFrom('shard_directory').where(isGroup(where, group)).compile()
}

type Condition = (
  eb: ExpressionBuilder<Tables, 'shard_directory'>,
) => ExpressionWrapper<Tables, 'shard_directory', SqlBool>

/** All entries of a claim, also under spellings that this process does not know of. */
function isGroup({ namespace }: Where, { id, version, state }: Group): Condition {
  return (eb) => eb.and({ namespace, id, version, state })
}

/** One entry of a claim. */
function isEntry(where: Where, entry: StoredEntry): Condition {
  return (eb) => eb.and([isGroup(where, entry)(eb), eb('natural_key', '=', entry.key)])
}

function areAll(onFile: readonly StoredEntry[], entries: readonly NewEntry[]): boolean {
  return onFile.length === entries.length && onFile.every((entry) => isOf(entry, entries))
}

function isOf({ id, token }: StoredEntry, [made]: readonly NewEntry[]): boolean {
  return id === made?.id && token === made.token
}
