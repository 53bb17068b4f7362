import { ConnectionLostError, DeadlockError, type Executor } from '@shard/core'
import { bumpLeases, type Lease, type LeaseRecord, leases } from '@shard/sql'
import { describe, expect, test } from 'vitest'
import { ann, bob, need } from '../src/lease/check.ts'
import { onFreshDatabase } from './connected-database.ts'
import { databases, withServer } from './databases.ts'
import { type Fault, faulty } from './directory-hosts.ts'
import { expire } from './lease-hosts.ts'

const lost = (outcome: 'unknown' | 'not-applied'): Error =>
  new ConnectionLostError(new Error('the connection broke'), outcome)

const isChange = (sql: string): boolean => /^(insert into|update) .?shard_leases/.test(sql)
const isReadBack = (sql: string): boolean => /^select .*token.? = /s.test(sql)

/** Runs changes of leases, and loses the replies. */
const replyLost: Fault = async (sql, run) => {
  const result = await run()
  if (isChange(sql)) throw lost('unknown')
  return result
}

/** Loses changes of leases on their way; nobody can know. */
const requestLost: Fault = (sql, run) => (isChange(sql) ? Promise.reject(lost('unknown')) : run())

const readBackFails: Fault = (sql, run) => (isReadBack(sql) ? Promise.reject(lost('not-applied')) : run())

type OnDatabase = (name: string, body: (executor: Executor) => Promise<void>) => void

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      const onDatabase: OnDatabase = (name, body) =>
        test(name, () => onFreshDatabase(engine, ({ connect }) => body(connect())))
      describe('an acquire', () => acquires(onDatabase))
      describe('an extension', () => extensions(onDatabase))
      describe('a bump', () => bumps(onDatabase))
    })
  })
}

function acquires(onDatabase: OnDatabase): void {
  for (const row of ['first', 'next'] as const) {
    onDatabase(
      `whose reply is lost is settled by its own token (the ${row} of its name)`,
      async (executor) => {
        if (row === 'next') await (await need(leases(executor), 'a')).release()
        const lease = await need(leases(faulty(executor, replyLost)), 'a')
        expect(await leases(executor).read('a')).toMatchObject({ epoch: lease.epoch, isHeld: true })
        expect(await lease.release().catch((error) => error)).toMatchObject({ outcome: 'unknown' })
        expect(await leases(executor).acquire('a', bob)).toMatchObject({
          owner: 'bob',
          epoch: lease.epoch + 1n,
        })
      },
    )
  }

  onDatabase('that saw a free lease which has been taken since gets nothing', async (executor) => {
    for (const before of [null, 'released', 'expired']) {
      const last = before === null ? null : await need(leases(executor), 'a')
      if (before === 'released') await last?.release()
      if (before === 'expired') await expire(executor)
      let rival: Lease | null = null
      const overtaken: Fault = async (sql, run) => {
        if (isChange(sql) && !rival) rival = await need(leases(executor), 'a', bob)
        return run()
      }
      expect(await leases(faulty(executor, overtaken)).acquire('a', ann)).toBeNull()
      const holder = rival as unknown as Lease
      expect([await holder.extend(), await holder.release()]).toEqual([true, true])
    }
  })

  onDatabase('whose request is lost stays unknown: to see nothing is not to know', async (executor) => {
    await (await need(leases(executor), 'a')).release()
    const call = leases(faulty(executor, requestLost)).acquire('a', ann)
    await expect(call).rejects.toMatchObject({ code: 'CONNECTION_LOST', outcome: 'unknown' })
    expect(await leases(executor).acquire('a', bob)).toMatchObject({ owner: 'bob' })
  })

  onDatabase(
    'that arrives after its caller gave up holds the lease, for nobody, until it expires',
    async (executor) => {
      await (await need(leases(executor), 'a')).release()
      let arrive = (): Promise<unknown> => Promise.resolve()
      const late: Fault = (sql, run) => {
        if (!isChange(sql)) return run()
        arrive = run
        return Promise.reject(lost('unknown'))
      }
      const call = leases(faulty(executor, late)).acquire('a', ann)
      await expect(call).rejects.toMatchObject({ outcome: 'unknown' })
      await arrive()
      expect(await leases(executor).acquire('a', bob)).toBeNull()
      await expire(executor)
      expect(await leases(executor).acquire('a', bob)).not.toBeNull()
    },
  )

  onDatabase('whose read back fails is unknown, whatever that read says of itself', async (executor) => {
    const call = leases(faulty(executor, readBackFails)).acquire('a', ann)
    await expect(call).rejects.toMatchObject({ code: 'CONNECTION_LOST', outcome: 'unknown' })
    const both: Fault = (sql, run) => readBackFails(sql, () => replyLost(sql, run))
    const second = leases(faulty(executor, both)).acquire('b', ann)
    await expect(second).rejects.toMatchObject({ code: 'CONNECTION_LOST', outcome: 'unknown' })
  })

  onDatabase('that the engine undoes for a deadlock is made again, a few times', async (executor) => {
    let deadlocks = 0
    const refusals = (count: number): Fault => {
      let left = count
      return (sql, run) => {
        if (!isChange(sql) || left-- <= 0) return run()
        deadlocks++
        return Promise.reject(new DeadlockError(new Error('deadlock')))
      }
    }
    const lease = await need(leases(faulty(executor, refusals(2))), 'a')
    expect([deadlocks, await lease.release()]).toEqual([2, true])
    const call = leases(faulty(executor, refusals(100))).acquire('a', ann)
    await expect(call).rejects.toMatchObject({ code: 'DEADLOCK', outcome: 'not-applied' })
    expect(deadlocks).toBeLessThan(10)
  })
}

function extensions(onDatabase: OnDatabase): void {
  onDatabase('whose reply is lost leaves the lease held until the deadline it had', async (executor) => {
    let broken = false
    const fault: Fault = (sql, run) => (broken ? replyLost(sql, run) : run())
    const lease = await need(leases(faulty(executor, fault)), 'a')
    const deadline = lease.expiresAtMonotonicMs
    broken = true
    const reserve = { fromMs: 5_000, lengthMs: 100 }
    await expect(lease.extend({ ttlMs: 600_000, reserve })).rejects.toMatchObject({ outcome: 'unknown' })
    expect([lease.isHeld, lease.expiresAtMonotonicMs, lease.markMs]).toEqual([true, deadline, 0])
    broken = false
    expect(await lease.extend({ reserve: { fromMs: 0, lengthMs: 100 } })).toBe(true)
    // What is reserved on file is never less than what the holder knows of.
    expect([lease.markMs, (await leases(executor).read('a'))?.markMs]).toEqual([100, 5_200])
    await lease.release()
  })
}

function bumps(onDatabase: OnDatabase): void {
  onDatabase(
    'frees every lease, and lifts epochs and marks, also for names without a row',
    async (executor) => {
      const held = await need(leases(executor), 'a', { ...ann, reserve: { fromMs: 5_000, lengthMs: 100 } })
      await bumpLeases(executor)
      expect(await held.extend()).toBe(false)
      const record = (await leases(executor).read('a')) as LeaseRecord
      expect(record.isHeld).toBe(false)
      expect(record.epoch).toBeGreaterThan(1n << 32n)
      for (const name of ['a', 'new']) {
        const next = await need(leases(executor), name, { ...bob, reserve: { fromMs: 0, lengthMs: 100 } })
        expect(next.epoch).toBeGreaterThan(1n << 32n)
        expect(next.markMs).toBeGreaterThan(record.readAtMs + 3 * 3_600_000 - 60_000)
        await next.release()
      }
      const before = await need(leases(executor), 'far', { ...ann, reserve: { fromMs: 8e15, lengthMs: 0 } })
      await bumpLeases(executor, { aheadMs: 0 })
      expect((await leases(executor).read('far'))?.markMs).toBe(8e15)
      await before.release()
    },
  )

  onDatabase('after each restore of one backup makes epochs that were never handed out', async (executor) => {
    const epochs: bigint[] = []
    const use = async (): Promise<void> => {
      for (const name of ['a', 'a', 'new']) {
        const lease = await need(leases(executor), name)
        epochs.push(lease.epoch)
        await lease.release()
      }
    }
    const sql = (text: string) => executor.execute({ sql: text, parameters: [] })
    await (await need(leases(executor), 'a')).release()
    await sql('create table backup as select * from shard_leases')
    const restore = async (): Promise<void> => {
      await sql('delete from shard_leases')
      await sql('insert into shard_leases select * from backup')
      await bumpLeases(executor)
    }
    await use()
    for (let i = 0; i < 3; i++) {
      await restore()
      await use()
    }
    for (const name of [0, 2]) {
      const own = epochs.filter((_, i) => (name === 2 ? i % 3 === 2 : i % 3 !== 2))
      expect(own).toEqual([...own].sort((a, b) => (a < b ? -1 : 1)))
      expect(new Set(own).size).toBe(own.length)
    }
  })

  onDatabase('of an empty database makes the table; a distance out of range is refused', async (executor) => {
    for (const aheadMs of [-1, 0.5, Number.NaN, 30 * 86_400_000 + 1, '5', null])
      await expect(bumpLeases(executor, { aheadMs: aheadMs as number })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      })
    await bumpLeases(executor)
    expect((await need(leases(executor), 'a')).epoch).toBeGreaterThan(1n << 32n)
  })
}
