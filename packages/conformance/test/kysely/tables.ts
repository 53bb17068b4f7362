import type { Executor } from '@shard/core'
import type { ShardTables } from '@shard/kysely'
import { Dice } from './dice.ts'

/** A column of the tables that random statements are about. */
export interface Column {
  readonly name: string
  readonly type: 'int' | 'text'
  /** Is it the shard key, or said to be the same? */
  readonly isKey: boolean
}

export interface Table {
  readonly name: string
  readonly kind: 'sharded' | 'reference' | 'global'
  readonly columns: readonly Column[]
  readonly primaryKey: string
}

const int = (name: string): Column => ({ name, type: 'int', isKey: false })
const text = (name: string): Column => ({ name, type: 'text', isKey: false })
const key = (name: string): Column => ({ name, type: 'int', isKey: true })

export const accounts: Table = {
  name: 'accounts',
  kind: 'sharded',
  columns: [key('id'), text('name'), int('plan_id'), text('country')],
  primaryKey: 'id',
}
export const messages: Table = {
  name: 'messages',
  kind: 'sharded',
  columns: [key('account_id'), int('id'), int('parent_id'), text('body')],
  primaryKey: 'account_id, id',
}
export const attachments: Table = {
  name: 'attachments',
  kind: 'sharded',
  columns: [key('account_id'), int('id'), int('message_id'), int('size')],
  primaryKey: 'account_id, id',
}
export const countries: Table = {
  name: 'countries',
  kind: 'reference',
  columns: [text('code'), text('name'), int('plan_id')],
  primaryKey: 'code',
}
export const plans: Table = {
  name: 'plans',
  kind: 'global',
  columns: [int('id'), text('name'), int('price')],
  primaryKey: 'id',
}

export const shardedTables: readonly Table[] = [accounts, messages, attachments]
export const allTables: readonly Table[] = [...shardedTables, countries, plans]

/** Every unique key of these contains the shard key. */
export const rules: ShardTables<never> = {
  accounts: { shardKey: 'id', uniqueKeysContainShardKey: true },
  messages: { shardKey: 'account_id', uniqueKeysContainShardKey: true },
  attachments: { shardKey: 'account_id' },
  countries: 'reference',
  plans: 'global',
} as ShardTables<never>

export const SHARDS = 4
export const shardOf = (id: bigint): number => Number(id % BigInt(SHARDS))

export type Row = Record<string, bigint | string | null>

const words = ['a', 'b', 'c', 'ab', 'abc']

/** Ids are few, so that those of one table meet those of another, and of other shards. */
export function someRows(table: Table, seed: number): Row[] {
  const dice = new Dice(seed)
  const number = (): bigint | null => (dice.chance(0.15) ? null : BigInt(1 + dice.below(12)))
  const word = (): string | null => (dice.chance(0.1) ? null : dice.pick(words))
  const count = { accounts: 12, messages: 40, attachments: 30, countries: 5, plans: 5 }[table.name] ?? 0
  const rows = Array.from({ length: count }, (_, i): Row => {
    const row = Object.fromEntries(
      table.columns.map(({ name, type }) => [name, type === 'int' ? number() : word()]),
    )
    if (table === accounts || table === plans) row.id = BigInt(i + 1)
    else if (table === countries) row.code = words[i] as string
    else {
      row.account_id = BigInt(1 + dice.below(12))
      row.id = BigInt(1 + dice.below(15))
    }
    return row
  })
  const names = table.primaryKey.split(', ')
  return [...new Map(rows.map((row) => [names.map((name) => row[name]).join(), row])).values()]
}

/** Makes a table anew with rows. */
export async function fill(executor: Executor, table: Table, rows: readonly Row[]): Promise<void> {
  const quoted = table.columns.map(({ name, type }) => `${name} ${type === 'int' ? 'bigint' : 'varchar(40)'}`)
  const run = (sql: string, parameters: unknown[] = []): Promise<unknown> =>
    executor.execute({ sql, parameters })
  await run(`drop table if exists ${table.name}`)
  await run(`create table ${table.name} (${quoted.join(', ')}, primary key (${table.primaryKey}))`)
  if (rows.length === 0) return
  const literal = (value: bigint | string | null | undefined): string =>
    value === null || value === undefined ? 'null' : typeof value === 'string' ? `'${value}'` : `${value}`
  const values = rows.map((row) => `(${table.columns.map(({ name }) => literal(row[name])).join(', ')})`)
  await run(`insert into ${table.name} values ${values.join(', ')}`)
}
