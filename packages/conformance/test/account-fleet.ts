import {
  type Executor,
  type Id,
  ShardCodec,
  ShardedExecutor,
  type Statement,
  statementFor,
  staticCatalog,
} from '@shard/core'
import type { KeyedRow } from '@shard/directory'
import { applySchema, type SchemaLadder } from '@shard/sql'
import type { Database } from './databases.ts'
import { directoryAdapterOf } from './directory-hosts.ts'
import { freshDatabase, openDatabase } from './fresh-database.ts'

/** Where the databases of a fleet are; the shards are 1, 2, ... */
export interface FleetUrls {
  readonly global: string
  readonly shards: readonly string[]
}

/** A fleet of accounts on new databases, for the length of a test. */
export interface AccountFleet extends FleetUrls {
  /** A new executor over it, as another process has; closed at the end. */
  connect(around?: (executor: Executor) => Executor): Executor
}

const codec = ShardCodec.default
const plain = (sql: string, ...parameters: unknown[]): Statement => ({ sql, parameters })

/** Opens a fleet: a global database, and shards with an `accounts` table that lets one address in many times. */
export function openAccounts(
  { global, shards }: FleetUrls,
  around: (executor: Executor) => Executor = (executor) => executor,
  connections = 4,
): Executor {
  const open = (url: string): Executor => around(openDatabase(url, connections))
  const catalog = staticCatalog({
    global: open(global),
    shards: new Map(shards.map((url, i) => [i + 1, open(url)])),
  })
  return new ShardedExecutor({ catalog, locator: codec, family: 'users' })
}

/** Runs `body` on a new fleet of two shards. */
export async function onAccountFleet(
  engine: Database,
  body: (fleet: AccountFleet) => Promise<void>,
): Promise<void> {
  const databases = await Promise.all([1, 2, 3].map(() => freshDatabase(engine)))
  const [global = '', ...shards] = databases.map(({ url }) => url)
  const executors: Executor[] = []
  const connect: AccountFleet['connect'] = (around) => {
    const executor = openAccounts({ global, shards }, around)
    executors.push(executor)
    return executor
  }
  try {
    const { schema, shardSchema } = directoryAdapterOf(engine)
    await setUp(global, schema)
    const sql = 'create table accounts (id bigint not null primary key, email varchar(200) not null)'
    await Promise.all(shards.map((url) => setUp(url, shardSchema, sql)))
    await body({ global, shards, connect })
  } finally {
    await Promise.all(executors.map((executor) => executor.close()))
    await Promise.all(databases.map((database) => database.drop()))
  }
}

async function setUp(url: string, ladder: SchemaLadder, ...statements: string[]): Promise<void> {
  const executor = openDatabase(url, 1)
  await applySchema(executor, ladder)
  for (const sql of statements) await executor.execute(plain(sql))
  await executor.close()
}

/** What an app inserts for a new account. */
export function insertAccount(email: string): (tx: Executor, id: Id) => Promise<unknown> {
  return (tx, id) => {
    const value = statementFor(
      (dialect) =>
        plain(
          `insert into accounts (id, email) values (${dialect === 'postgres' ? '$1, $2' : '?, ?'})`,
          id,
          email,
        ),
      tx.dialect,
    )
    return tx.execute(value)
  }
}

/** What it deletes of one. */
export function deleteAccount(tx: Executor, id: Id): Promise<unknown> {
  return tx.execute(plain(`delete from accounts where id = ${id}`))
}

/** Every account of every shard. */
export async function accountsOf(executor: Executor): Promise<KeyedRow[]> {
  const pages = executor.shardIds().map(async (shard) => {
    const { rows } = await executor.execute<{ id: Id; email: string }>(
      plain('select id, email from accounts'),
      {
        route: { shard },
      },
    )
    return rows.map(({ id, email }) => ({ id, key: email }))
  })
  return (await Promise.all(pages)).flat()
}

/** Is there an account? */
export async function accountExists(executor: Executor, id: Id): Promise<'yes' | 'no'> {
  const sql = `select count(*) as n from accounts where id = ${id}`
  const { rows } = await executor.execute<{ n: bigint }>(plain(sql), { route: { key: id } })
  return rows[0]?.n === 0n ? 'no' : 'yes'
}

/** New ids, on one shard after the other; `process` sets them apart from those of others. */
export function placing(process: number): { place(): Promise<{ id: Id }> } {
  let count = 0
  return {
    place: async () => {
      count++
      return { id: codec.compose(1 + (count % 2), (BigInt(process) << 32n) + BigInt(count)) }
    },
  }
}
