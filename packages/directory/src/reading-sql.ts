import type { Id, Statement } from '@shard/core'
import { dialectOf, run, textOf } from '@shard/sql'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { EntryStore } from './entry-store.ts'
import {
  entryOf,
  listedColumns,
  type Row,
  rowsOf,
  storedOf,
  storedRowsOf,
  type Tables,
  type Where,
} from './rows-sql.ts'

type Reading = Pick<EntryStore, 'idOf' | 'idsOf' | 'entriesOf' | 'keysOf' | 'page'>

/** Keys in one `in` list: far below every engine's limit of parameters, and few round trips. */
const KEYS_PER_QUERY = 1_000

/** The steps of a store that only read. */
export function reading(where: Where): Reading {
  const { executor } = where
  const rows = rowsOf(where)
  const confirmed = rows.where('state', '=', 'confirmed')
  const stored = storedRowsOf(where)
  const idByKey = byKey(confirmed.select('id'))
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
    async entriesOf(keys, signal) {
      const query = stored.where('natural_key', 'in', keys)
      return (await run(executor, query, { signal })).rows.map(storedOf)
    },
    async keysOf(id, signal) {
      const query = rows.select('natural_key').where('id', '=', id).orderBy('natural_key')
      return (await run(executor, query, { signal })).rows.map(({ natural_key }) => textOf(natural_key))
    },
    async page({ after, limit, olderThanMs }, signal) {
      let query = rows.select(listedColumns).orderBy('natural_key').limit(limit)
      if (after !== null) query = query.where('natural_key', '>', after)
      const { nowMs } = dialectOf(executor)
      if (olderThanMs > 0)
        query = query.where('updated_at_ms', '<=', sql<bigint>`${nowMs} - ${BigInt(olderThanMs)}`)
      return (await run(executor, query, { signal })).rows.map(entryOf)
    },
  }
}

/** Compiles a query once and gives its statement for each key: compiling takes longer than the select. */
function byKey<O>(query: SelectQueryBuilder<Tables, 'shard_directory', O>): (key: string) => Statement {
  const { sql, parameters } = query.where('natural_key', '=', '').compile()
  const before = parameters.slice(0, -1)
  return (key) => ({ sql, parameters: [...before, key] })
}
