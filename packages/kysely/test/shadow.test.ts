import { Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { onShard } from '../src/routes.ts'
import type { ShadowFinding } from '../src/shadow.ts'
import { ShardDialect } from '../src/shard-dialect.ts'
import { byFour, type FakeCall, fakeDatabase, type Tables, tables } from './fake-fleet.ts'

function shadowed(locator?: typeof byFour): {
  db: Kysely<Tables>
  findings: ShadowFinding[]
  calls: FakeCall[]
} {
  const findings: ShadowFinding[] = []
  const calls: FakeCall[] = []
  const report = (finding: ShadowFinding): void => void findings.push(finding)
  const executor = fakeDatabase('sqlite', 'global', calls)
  const dialect = new ShardDialect<Tables>({
    executor,
    tables,
    shadow: locator ? { report, locator } : report,
  })
  return { db: new Kysely<Tables>({ dialect }), findings, calls }
}

describe('in the shadow', () => {
  test('everything runs, and what sharding would refuse is told once', async () => {
    const { db, findings, calls } = shadowed()
    for (let i = 0; i < 3; i++) await db.selectFrom('messages').selectAll().execute()
    await db.selectFrom('messages').selectAll().where('account_id', '=', 5n).execute()
    await sql`select 1`.execute(db)
    expect(calls).toHaveLength(5)
    expect(findings).toMatchObject([
      { code: 'UNROUTED', table: 'messages', key: 'account_id', shape: 'select * from "messages"', count: 3 },
      { code: 'UNROUTED', table: null, count: 1 },
    ])
    expect(findings[0]?.site).toMatch(/shadow\.test\.ts:\d+/)
  })

  test('fragments run as they are', async () => {
    const { db, calls } = shadowed()
    await db.selectFrom('plans').selectAll().where(sql<boolean>`price > 1 and id = 2`).execute()
    expect(calls[0]?.statement.sql).toBe('select * from "plans" where price > 1 and id = 2')
  })

  test('two keys may be two shards, unless the locator says that they are one', async () => {
    const run = async ({ db, findings }: ReturnType<typeof shadowed>): Promise<string[]> => {
      await db.selectFrom('accounts').selectAll().where('id', 'in', [5n, 9n]).execute()
      await db.selectFrom('accounts').selectAll().where('id', 'in', [5n, 6n]).execute()
      return findings.map(({ code, count }) => `${code} ${count}`)
    }
    expect(await run(shadowed())).toEqual(['CROSS_SHARD 1', 'CROSS_SHARD 1'])
    expect(await run(shadowed(byFour))).toEqual(['CROSS_SHARD 1'])
  })

  test('a transaction over two shards is told', async () => {
    const { db, findings, calls } = shadowed(byFour)
    await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('messages').where('account_id', '=', 5n).execute()
      await trx.deleteFrom('messages').where('account_id', '=', 9n).execute()
      await onShard(trx, 2).deleteFrom('messages').execute()
      await trx.deleteFrom('messages').where('account_id', '=', 6n).execute()
    })
    expect(calls).toHaveLength(4)
    expect(findings.map(({ code }) => code)).toEqual(['CROSS_SHARD_TRANSACTION', 'CROSS_SHARD_TRANSACTION'])
  })
})
