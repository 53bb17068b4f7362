import assert from 'node:assert/strict'
import type { DialectName, Executor, Statement, StatementSource } from '@shard/core'

/** Declares one test on an empty database. */
export type Check = (name: string, body: (executor: Executor) => Promise<void>) => unknown

/** What the engines spell differently in the suite's own statements. */
interface Spelling {
  placeholder(position: number): string
  readonly bytes: string
  /** True where every write can give its rows. */
  readonly returning: boolean
}

const spellings: Record<DialectName, Spelling> = {
  sqlite: { placeholder: () => '?', bytes: 'blob', returning: true },
  postgres: { placeholder: (position) => `$${position}`, bytes: 'bytea', returning: true },
  mysql: { placeholder: () => '?', bytes: 'varbinary(255)', returning: false },
}

export function spellingOf(executor: Executor): Spelling {
  return spellings[executor.dialect]
}

/** A statement with `?` for each parameter. */
export function sql(text: string, ...parameters: unknown[]): StatementSource {
  return (dialect): Statement => {
    let position = 0
    return { sql: text.replace(/\?/g, () => spellings[dialect].placeholder(++position)), parameters }
  }
}

export async function rowsOf(executor: Executor, text: string, ...parameters: unknown[]): Promise<unknown[]> {
  // Drivers may give their own kinds of array and row.
  return (await executor.execute(sql(text, ...parameters))).rows.map((row) => ({ ...row }))
}

export function rejects(call: Promise<unknown>, code: string): Promise<void> {
  return assert.rejects(call, { code })
}

/** Creates `items (id bigint primary key, n integer, name varchar)` with rows 1 to `count`. */
export async function items(executor: Executor, count: number): Promise<void> {
  await executor.execute(
    sql(
      'create table items (id bigint not null primary key, n integer check (n < 1000000), name varchar(200))',
    ),
  )
  for (let from = 1; from <= count; from += 500) {
    const ids = Array.from({ length: Math.min(500, count - from + 1) }, (_, i) => from + i)
    const values = ids.map((id) => `(${id}, ${id}, 'name ${id}')`).join(', ')
    await executor.execute(sql(`insert into items (id, n, name) values ${values}`))
  }
}
