import type { Executor } from '@shard/core'
import { identified, writeIdentity } from '@shard/sql'
import { describe, expect, test } from 'vitest'
import { type Database, databases, withServer } from './databases.ts'
import { freshDatabase, openDatabase } from './fresh-database.ts'

const shard = { cluster: 'c1', family: 'users', shard: 1 }
const plain = (sql: string) => ({ sql, parameters: [] })

/** How a server names and ends a connection; a pooler would keep its client's and open another behind it. */
const connections: Partial<Record<Database['name'], { own: string; end(id: bigint): string }>> = {
  postgres: { own: 'select pg_backend_pid() as id', end: (id) => `select pg_terminate_backend(${id})` },
  mariadb: { own: 'select connection_id() as id', end: (id) => `kill ${id}` },
}

function codeOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => null,
    ({ code }) => code,
  )
}

for (const engine of databases) {
  const connection = connections[engine.name]
  if (!connection) continue
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      test('a new connection that leads to another database is not used, a known one is not asked again', async () => {
        const { url, drop } = await freshDatabase(engine)
        const [side, executor] = [openDatabase(url, 1), openDatabase(url, 1)]
        try {
          await writeIdentity(side, shard)
          await identified(executor, shard)
          const touch = (): Promise<unknown> =>
            executor.transaction((tx) => tx.execute(plain('select 1 as one')))
          const own = (tx: Executor) => tx.execute<{ id: bigint }>(plain(connection.own))
          const id = (await executor.transaction(own)).rows[0]?.id ?? 0n

          await side.execute(plain('update shard_meta set shard = 2'))
          await touch()
          await side.execute(plain(connection.end(id)))
          // The driver may hand out the connection that was cut until it has noticed.
          for (let i = 0; i < 5 && (await codeOf(touch())) === 'CONNECTION_LOST'; i++);
          await expect(touch()).rejects.toMatchObject({ code: 'WRONG_DATABASE', outcome: 'not-applied' })
          const single = executor.execute(plain('select 1 as one'))
          await expect(single).rejects.toMatchObject({ code: 'WRONG_DATABASE' })

          await side.execute(plain('update shard_meta set shard = 1'))
          await touch()
          await executor.execute(plain('select 1 as one'))
        } finally {
          await Promise.all([side.close(), executor.close()])
          await drop()
        }
      })
    })
  })
}
