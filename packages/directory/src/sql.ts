import type { Executor, Id, Result, Statement } from '@shard/core'
import { dialectOf, queryBuilder, type RetryOptions, retryRefused, run, textOf } from '@shard/sql'
import type {
  ExpressionBuilder,
  ExpressionWrapper,
  InsertQueryBuilder,
  InsertResult,
  Kysely,
  RawBuilder,
  SelectQueryBuilder,
  SqlBool,
} from 'kysely'
import type { Directory, Entry, EntryState } from './directory.ts'
import { type DirectoryOptions, directoryOver } from './directory-over.ts'
import type { EntryStore, Expected, StoredEntry } from './entry-store.ts'

interface Row {
  readonly namespace: string
  readonly natural_key: string
  readonly id: bigint
  readonly state: EntryState
  readonly token: string
  readonly version: bigint
  readonly updated_at_ms: bigint
}

interface Tables {
  readonly shard_directory: Row
}

type Insert = InsertQueryBuilder<Tables, 'shard_directory', InsertResult>

/** What the directory asks of an engine. */
export interface DirectoryDialect {
  /**
   * Makes an insert do nothing if its primary key is on file, and fail for every other reason. It must wait
   * for a rival that has not committed. Its row count means nothing: MySQL counts 0, 1 or 2 for an upsert.
   */
  ifAbsent(insert: Insert): Insert
  /** Ends a select that must see the last committed row, where the snapshot of its transaction may be older. */
  readonly current: RawBuilder<unknown>
}

/** What a directory in a database is for, and how patient it is. */
export interface SqlDirectoryOptions extends DirectoryOptions {
  /** How a change is made again that the engine refused for the sake of a rival. */
  readonly retry?: RetryOptions | undefined
}

/** Keys in one `in` list: far below every engine's limit of parameters, and few round trips. */
const KEYS_PER_QUERY = 1_000

const entryColumns = ['natural_key', 'id', 'state', 'token', 'version', 'updated_at_ms'] as const

/** A directory in the table `shard_directory`; the dialect files bind it. */
export function sqlDirectory(
  executor: Executor,
  options: SqlDirectoryOptions,
  dialect: DirectoryDialect,
): Directory {
  return directoryOver((namespace) => {
    const where: Where = { executor, namespace, retry: options.retry }
    return { ...reading(where), ...writing(where, dialect) }
  }, options)
}

/** One namespace in one database. */
interface Where {
  readonly executor: Executor
  readonly namespace: string
  readonly retry: RetryOptions | undefined
}

type Writing = Pick<EntryStore, 'currentEntryOf' | 'insertIfAbsent' | 'replace' | 'remove'>

function reading({ executor, namespace }: Where): Omit<EntryStore, keyof Writing> {
  const rows = rowsOf(executor, namespace)
  const confirmed = rows.where('state', '=', 'confirmed')
  const idByKey = byKey(confirmed.select('id'))
  const entryByKey = byKey(rows.select(entryColumns))
  return {
    async idOf(key, signal) {
      const { rows } = await executor.execute<Pick<Row, 'id'>>(idByKey(key), { signal })
      return rows[0]?.id ?? null
    },
    async idsOf(keys, signal) {
      const ids = new Map<string, Id>()
      for (let i = 0; i < keys.length; i += KEYS_PER_QUERY) {
        const wanted = keys.slice(i, i + KEYS_PER_QUERY)
        const query = confirmed.select(['natural_key', 'id']).where('natural_key', 'in', wanted)
        for (const { natural_key, id } of (await run(executor, query, { signal })).rows)
          ids.set(textOf(natural_key), id)
      }
      return ids
    },
    async entryOf(key, signal) {
      return storedOf(await executor.execute<EntryRow>(entryByKey(key), { signal }))
    },
    async keysOf(id, signal) {
      const query = rows.select('natural_key').where('id', '=', id).orderBy('natural_key')
      return (await run(executor, query, { signal })).rows.map(({ natural_key }) => textOf(natural_key))
    },
    async page(after, limit, signal) {
      const above = after === null ? rows : rows.where('natural_key', '>', after)
      const query = above.select(entryColumns).orderBy('natural_key').limit(limit)
      return (await run(executor, query, { signal })).rows.map(entryOf)
    },
  }
}

/** Each step is one statement, and so all of its transaction, unless the caller has begun one. */
function writing({ executor, namespace, retry }: Where, { ifAbsent, current }: DirectoryDialect): Writing {
  const db = builder(executor)
  const { nowMs } = dialectOf(executor)
  const entryByKey = byKey(rowsOf(executor, namespace).select(entryColumns).modifyEnd(current))
  const step = <Row>(statement: Statement, signal: AbortSignal | undefined): Promise<Result<Row>> =>
    retryRefused(() => executor.execute<Row>(statement, { signal }), retry, signal)
  return {
    async currentEntryOf(key, signal) {
      return storedOf(await step<EntryRow>(entryByKey(key), signal))
    },
    async insertIfAbsent({ key, id, state, token, version }, signal) {
      const row = { namespace, natural_key: key, id, state, token, version, updated_at_ms: nowMs }
      await step(ifAbsent(db.insertInto('shard_directory').values(row)).compile(), signal)
    },
    async replace({ key, id, state, token, version }, expected, signal) {
      // The version is new, so a row that matches always changes: no engine can count it as untouched.
      const change = db
        .updateTable('shard_directory')
        .set({ id, state, token, version, updated_at_ms: nowMs })
      const query = change.where(isExpected(namespace, key, expected))
      return (await step(query.compile(), signal)).affectedRows > 0n
    },
    async remove(key, expected, signal) {
      const query = db.deleteFrom('shard_directory').where(isExpected(namespace, key, expected))
      return (await step(query.compile(), signal)).affectedRows > 0n
    },
  }
}

type EntryRow = Pick<Row, (typeof entryColumns)[number]>

/** The rows of a namespace. */
function rowsOf(
  executor: Executor,
  namespace: string,
): SelectQueryBuilder<Tables, 'shard_directory', unknown> {
  return builder(executor).selectFrom('shard_directory').where('namespace', '=', namespace)
}

function builder(executor: Executor): Kysely<Tables> {
  return queryBuilder<Tables>(dialectOf(executor))
}

/** Compiles a query once and gives its statement for each key: compiling takes longer than the select. */
function byKey<O>(query: SelectQueryBuilder<Tables, 'shard_directory', O>): (key: string) => Statement {
  const { sql, parameters } = query.where('natural_key', '=', '').compile()
  const before = parameters.slice(0, -1)
  return (key) => ({ sql, parameters: [...before, key] })
}

type Condition = (
  eb: ExpressionBuilder<Tables, 'shard_directory'>,
) => ExpressionWrapper<Tables, 'shard_directory', SqlBool>

function isExpected(namespace: string, key: string, { id, version }: Expected): Condition {
  const found = { namespace, natural_key: key, id }
  return (eb) => eb.and(version === undefined ? found : { ...found, version })
}

function entryOf({ natural_key, id, state, version, updated_at_ms }: EntryRow): Entry {
  return { key: textOf(natural_key), id, state, version, updatedAtMs: Number(updated_at_ms) }
}

function storedOf({ rows: [row] }: Result<EntryRow>): StoredEntry | null {
  return row ? { ...entryOf(row), token: textOf(row.token) } : null
}
