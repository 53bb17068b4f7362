import type { Executor, Statement } from '@shard/core'
import { expect } from 'vitest'
import { type TcpProxy, tcpProxy } from '../src/tcp-proxy.ts'
import { type Database, databases } from './databases.ts'
import { freshDatabase, openDatabase } from './fresh-database.ts'

/** What the server engines spell differently when they are watched and disturbed. */
interface Spelling {
  placeholder(position: number): string
  readonly ownId: string
  kill(id: bigint): string
  /** Runs for so many seconds. */
  sleep(seconds: number): string
  /** How many connections run, or wait for a lock in, a statement like the one given. */
  running(like: string): string
  waiting(like: string): string
  /** One if there is such a connection. */
  isThere(id: bigint): string
}

const spellings: Record<'postgres' | 'mysql', Spelling> = {
  postgres: {
    placeholder: (position) => `$${position}`,
    ownId: 'select pg_backend_pid() as id',
    kill: (id) => `select pg_terminate_backend(${id})`,
    sleep: (seconds) => `select pg_sleep(${seconds})`,
    running: (like) =>
      `select count(*) as n from pg_stat_activity where state = 'active' and pid <> pg_backend_pid()
       and datname = current_database() and query like '${like}'`,
    waiting: (like) => `${spellings.postgres.running(like)} and wait_event_type = 'Lock'`,
    isThere: (id) => `select count(*) as n from pg_stat_activity where pid = ${id}`,
  },
  mysql: {
    placeholder: () => '?',
    ownId: 'select connection_id() as id',
    kill: (id) => `kill ${id}`,
    sleep: (seconds) => `select sleep(${seconds})`,
    running: (like) =>
      `select count(*) as n from information_schema.processlist where command in ('Query', 'Execute')
       and id <> connection_id() and db = database() and info like '${like}'`,
    waiting: (like) =>
      `select count(*) as n from information_schema.innodb_trx where trx_state = 'LOCK WAIT'
       and trx_query like '${like}'`,
    isThere: (id) => `select count(*) as n from information_schema.processlist where id = ${id}`,
  },
}

/** The engines with a server; each can be reached by a proxy. */
export const servers: readonly Database[] = databases.filter(
  ({ name }) => name === 'postgres' || name === 'mariadb',
)

/** A statement with `?` for each parameter. */
export function sql(
  text: string,
  ...parameters: unknown[]
): (dialect: 'postgres' | 'mysql' | 'sqlite') => Statement {
  return (dialect) => {
    let position = 0
    const placeholder = dialect === 'postgres' ? spellings.postgres.placeholder : () => '?'
    return { sql: text.replace(/\?/g, () => placeholder(++position)), parameters }
  }
}

/** A database with `entry (id bigint, n bigint)`, reached directly and through a proxy. */
export interface Behind {
  readonly proxy: TcpProxy
  /** Of the database, through the proxy. */
  readonly url: string
  /** Reaches the server through the proxy. */
  readonly executor: Executor
  /** Another executor through the proxy. */
  open(connections?: number): Executor
  /** Reaches it without. */
  readonly direct: Executor
  readonly on: Spelling
  ids(): Promise<bigint[]>
  /** Waits until that many statements like this one run on the server. */
  untilRunning(like: string, count: number): Promise<void>
  /** Waits until one waits for a lock. */
  untilWaiting(like: string): Promise<void>
  /** Waits until the server has ended a connection. */
  untilGone(id: bigint): Promise<void>
}

/** Runs `body` on a fresh database behind a proxy, and cleans up. */
export async function behindProxy(
  engine: Database,
  body: (behind: Behind) => Promise<void>,
  connections = 2,
): Promise<void> {
  const database = await freshDatabase(engine)
  const { hostname, port } = new URL(database.url)
  await using proxy = await tcpProxy({ host: hostname, port: Number(port) })
  const through = new URL(database.url)
  through.host = `127.0.0.1:${proxy.port}`
  const opened: Executor[] = []
  const open = (url: string, count: number): Executor => {
    const executor = openDatabase(url, count)
    opened.push(executor)
    return executor
  }
  const direct = open(database.url, 2)
  const watch = open(database.url, 1)
  const on = spellings[engine.dialect as 'postgres' | 'mysql']
  const count = async (text: string): Promise<bigint> =>
    (await watch.execute<{ n: bigint }>(sql(text))).rows[0]?.n ?? -1n
  try {
    await direct.execute(sql('create table entry (id bigint not null primary key, n bigint)'))
    await body({
      proxy,
      url: through.href,
      executor: open(through.href, connections),
      open: (count = connections) => open(through.href, count),
      direct,
      on,
      ids: async () =>
        (await watch.execute<{ id: bigint }>(sql('select id from entry order by id'))).rows.map(
          ({ id }) => id,
        ),
      untilRunning: (like, wanted) =>
        until(async () => (await count(on.running(like))) === BigInt(wanted), `${wanted} running ${like}`),
      untilGone: (id) => until(async () => (await count(on.isThere(id))) === 0n, `the end of ${id}`),
      // MariaDB refreshes what it says of locks only if nobody has asked for a tenth of a second.
      untilWaiting: (like) => until(async () => (await count(on.waiting(like))) > 0n, `${like} waiting`, 120),
    })
  } finally {
    await proxy.pass()
    proxy.cut()
    await Promise.all(opened.map((executor) => executor.close()))
    await database.drop()
  }
}

/** Asks again until the answer is yes, for ten seconds at most. */
export async function until(
  condition: () => Promise<boolean> | boolean,
  what: string,
  everyMs = 5,
): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!(await condition())) {
    if (performance.now() > deadline) expect.fail(`not within ten seconds: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

/** What a call came to: `ok`, or the code and outcome of its error. */
export function outcomeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'ok',
    ({ code, outcome, retryable }) => `${code} ${outcome}${retryable ? '' : ' for good'}`,
  )
}

/** The server's number of the connection that an executor uses. */
export async function connectionOf(executor: Executor): Promise<bigint> {
  const { ownId } = spellings[executor.dialect as 'postgres' | 'mysql']
  return (await executor.execute<{ id: bigint }>(sql(ownId))).rows[0]?.id ?? 0n
}

/** Begins a transaction that stays open until it is released. */
export async function holdTransaction(
  executor: Executor,
): Promise<{ tx: Executor; release(): Promise<void> }> {
  let end = (): void => {}
  let whole: Promise<unknown> = Promise.resolve()
  const tx = await new Promise<Executor>((resolve, reject) => {
    whole = executor.transaction((tx) => {
      resolve(tx)
      return new Promise<void>((release) => {
        end = release
      })
    })
    whole.catch(reject)
  })
  const release = async (): Promise<void> => {
    end()
    await whole
  }
  return { tx, release }
}
