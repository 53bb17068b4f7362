import { ConnectionLostError, type Executor, layouts, type WorkerLease } from '@shard/core'
import { ensureControlTables, type WorkerLeasesOptions, workerLeases } from '@shard/registry'
import { bumpLeases, type LeaseRecord, leases } from '@shard/sql'
import { describe, expect, test } from 'vitest'
import type { FaultPlan } from '../src/faults.ts'
import { faultyExecutor } from '../src/faulty-executor.ts'
import { ann, HeldDelays, HostClock, mint } from '../src/worker-lease/check.ts'
import { onFreshDatabase } from './connected-database.ts'
import { databases, withServer } from './databases.ts'
import { expire } from './lease-hosts.ts'

const lost = (): Error => new ConnectionLostError(new Error('the connection broke'), 'unknown')

const isChange = (sql: string): boolean => /^(insert into|update) .?shard_leases/.test(sql)
const isReadBack = (sql: string): boolean => /^select .*token.? = /s.test(sql)

/** Loses the replies to changes of leases. */
const replyLost: FaultPlan = ({ sql }) => (isChange(sql) ? 'drop-reply' : 'none')

/** Does something before a statement, which may keep it from being run. */
function after(executor: Executor, before: (sql: string, signal?: AbortSignal) => Promise<void>): Executor {
  return {
    ...faultyExecutor(executor, () => 'none'),
    async execute(source, options) {
      const { sql } = typeof source === 'function' ? source(executor.dialect) : source
      await before(sql, options?.signal)
      return executor.execute(source, options)
    },
  }
}

/** Loses changes of leases on their way; nobody can know. */
const requestLost = async (sql: string): Promise<void> => {
  if (isChange(sql)) throw lost()
}

/** One worker, so that whoever comes next gets the same number. */
const users: WorkerLeasesOptions = { family: 'users', layout: { ...layouts.default, workerBits: 0 } }

const NAME = 'worker/users/0'

const plain = (sql: string) => ({ sql, parameters: [] })

/** A lag of the replica, or the age of the backup: what was written since is gone. */
async function backUp(executor: Executor): Promise<(tx?: Executor) => Promise<void>> {
  await executor.execute(plain('create table backup as select * from shard_leases'))
  return async (tx = executor) => {
    await tx.execute(plain('delete from shard_leases'))
    await tx.execute(plain('insert into shard_leases select * from backup'))
  }
}

type OnDatabase = (name: string, body: (executor: Executor) => Promise<void>) => void

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      const onDatabase: OnDatabase = (name, body) =>
        test(name, () =>
          onFreshDatabase(engine, async ({ connect }) => {
            const executor = connect()
            await ensureControlTables(executor)
            await body(executor)
          }),
        )
      describe('an acquire', () => acquires(onDatabase))
      describe('an extension', () => extensions(onDatabase))
      describe('a database that forgets', () => restores(onDatabase))
    })
  })
}

function acquires(onDatabase: OnDatabase): void {
  for (const row of ['first', 'next'] as const) {
    onDatabase(`whose reply is lost is settled by its token (the ${row} of its number)`, async (executor) => {
      const clock = new HostClock()
      if (row === 'next') await (await workerLeases(executor, { ...users, clock }).acquire(ann)).close()
      const lease = await workerLeases(faultyExecutor(executor, replyLost), { ...users, clock }).acquire(ann)
      const record = (await leases(executor).read(NAME)) as LeaseRecord
      expect(record).toMatchObject({ isHeld: true, epoch: lease.epoch, markMs: lease.mintUntilMs })
      expect(lease.mintUntilMs - lease.mintFromMs).toBe(ann.ttlMs + 5_000)
      await lease.close().catch(() => {})
    })
  }

  onDatabase('whose request is lost stays unknown, and nothing is minted for it', async (executor) => {
    const call = workerLeases(after(executor, requestLost), users).acquire(ann)
    await expect(call).rejects.toMatchObject({ code: 'CONNECTION_LOST', outcome: 'unknown' })
    await (await workerLeases(executor, users).acquire(ann)).close()
  })

  onDatabase('that arrives after its caller gave up keeps the number until it expires', async (executor) => {
    const readBackLost = async (sql: string): Promise<void> => {
      if (isReadBack(sql)) throw lost()
    }
    const unheard = after(faultyExecutor(executor, replyLost), readBackLost)
    const call = workerLeases(unheard, users).acquire(ann)
    await expect(call).rejects.toMatchObject({ outcome: 'unknown' })
    const { markMs } = (await leases(executor).read(NAME)) as LeaseRecord
    await expect(workerLeases(executor, users).acquire(ann)).rejects.toMatchObject({
      code: 'NO_FREE_WORKER',
      holders: [{ worker: 0, owner: 'ann' }],
    })
    await expire(executor)
    const next = await workerLeases(executor, users).acquire(ann)
    expect(next.mintFromMs).toBe(markMs)
    await next.close()
  })

  onDatabase('that meets a rival for the number takes the next one', async (executor) => {
    const options = { family: 'users', layout: { ...layouts.default, workerBits: 2 } }
    let rival: WorkerLease | null = null
    const overtake = async (sql: string): Promise<void> => {
      if (isChange(sql) && !rival) rival = await workerLeases(executor, options).acquire(ann)
    }
    const lease = await workerLeases(after(executor, overtake), options).acquire(ann)
    expect([(rival as WorkerLease | null)?.worker, lease.worker]).toEqual([0, 1])
    await (rival as WorkerLease | null)?.close()
    await lease.close()
  })

  onDatabase('whose number rivals wore out meanwhile does not run away from the clock', async (executor) => {
    // The number has a row, so that it is taken from what was seen of it.
    await (await workerLeases(executor, users).acquire(ann)).close()
    let rivals = 0
    const wearOut = async (sql: string): Promise<void> => {
      if (!isChange(sql) || rivals > 0) return
      for (; ; rivals++) {
        const rival = await workerLeases(executor, users)
          .acquire(ann)
          .catch(() => null)
        if (!rival) return
        await rival.close()
      }
    }
    const call = workerLeases(after(executor, wearOut), users).acquire(ann)
    await expect(call).rejects.toMatchObject({ code: 'NO_FREE_WORKER', holders: [] })
    expect(rivals).toBeGreaterThan(5)
  })
}

function extensions(onDatabase: OnDatabase): void {
  onDatabase('whose reply is lost moves nothing here, and is made again soon', async (executor) => {
    const [clock, delays] = [new HostClock(), new HeldDelays()]
    let broken = false
    const faulty = faultyExecutor(executor, (call) => (broken ? replyLost(call) : 'none'))
    const workers = workerLeases(faulty, { ...users, clock, delay: delays.delay })
    const lease = await workers.acquire(ann)
    const { mintUntilMs, expiresAtMonotonicMs } = lease
    clock.elapsedMs = 1_000
    broken = true
    await expect(lease.extend()).rejects.toMatchObject({ outcome: 'unknown' })
    expect([lease.mintUntilMs, lease.expiresAtMonotonicMs]).toEqual([mintUntilMs, expiresAtMonotonicMs])
    delays.end(ann.ttlMs / 3)
    await expect.poll(() => delays.waits.some(({ ms }) => ms === ann.ttlMs / 12)).toBe(true)
    expect(lease.mintUntilMs).toBe(mintUntilMs)
    broken = false
    clock.elapsedMs = 2_000
    delays.end(ann.ttlMs / 12)
    await expect.poll(() => lease.mintUntilMs).toBe(mintUntilMs + 2_000)
    expect((await leases(executor).read(NAME))?.markMs).toBe(lease.mintUntilMs)
    await lease.close()
  })

  onDatabase('that gets no answer is given up in time, and made again', async (executor) => {
    const delays = new HeldDelays()
    const clock = new HostClock()
    let silent = false
    const mute = after(executor, async (_, signal) => (silent ? aborted(signal) : undefined))
    const lease = await workerLeases(mute, { ...users, clock, delay: delays.delay }).acquire(ann)
    const { mintUntilMs } = lease
    silent = true
    clock.elapsedMs = 1_000
    for (const _ of ['until the extension', 'for its answer']) {
      await expect.poll(() => delays.waits.some(({ ms }) => ms === ann.ttlMs / 3)).toBe(true)
      delays.end(ann.ttlMs / 3)
    }
    await expect.poll(() => delays.waits.some(({ ms }) => ms === ann.ttlMs / 12)).toBe(true)
    silent = false
    delays.end(ann.ttlMs / 12)
    await expect.poll(() => lease.mintUntilMs).toBe(mintUntilMs + 1_000)
    await lease.close()
  })
}

function aborted(signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(lost())))
}

function restores(onDatabase: OnDatabase): void {
  /** Two holders of one number, the second after the record of the first is gone: how many ids they share. */
  const repeats = async (
    executor: Executor,
    afterRestore: (executor: Executor) => Promise<void>,
    clock: HostClock,
  ): Promise<number> => {
    const workers = workerLeases(executor, { ...users, clock })
    await (await workers.acquire({ ...ann, ttlMs: 1_000 })).close()
    clock.elapsedMs += 60_000
    const restore = await backUp(executor)
    const first = await workers.acquire(ann)
    const made = mint(first, 5_000, clock)
    await executor.transaction(async (tx) => {
      await restore(tx)
      await afterRestore(tx)
    })
    const second = await workers.acquire(ann)
    made.push(...mint(second, 5_000, clock))
    expect(await first.extend()).toBe(false)
    await second.close()
    return made.length - new Set(made).size
  }

  onDatabase('gives out again what was used, unless its leases are bumped', async (executor) => {
    expect(await repeats(executor, async () => {}, new HostClock())).toBe(5_000)
  })

  for (const aheadMs of [0, 7_000_000]) {
    onDatabase(`and was bumped gives out nothing again (a host ${aheadMs} ms ahead)`, async (executor) => {
      expect(await repeats(executor, bumpLeases, new HostClock(aheadMs))).toBe(0)
    })
  }

  onDatabase('forgets numbers that had no row yet: the bump covers them too', async (executor) => {
    const clock = new HostClock()
    const workers = workerLeases(executor, { family: 'users', clock })
    await (await workers.acquire({ ...ann, ttlMs: 1_000 })).close()
    const restore = await backUp(executor)
    const first = [await workers.acquire(ann), await workers.acquire(ann)]
    expect(first.map(({ worker }) => worker)).toEqual([1, 2])
    await restore()
    await bumpLeases(executor)
    const second = [await workers.acquire(ann), await workers.acquire(ann), await workers.acquire(ann)]
    expect(second.map(({ worker }) => worker)).toEqual([0, 1, 2])
    const ids = [...first, ...second].flatMap((lease) => mint(lease, 5_000, clock))
    expect(new Set(ids).size).toBe(25_000)
    for (const lease of [...first, ...second]) await lease.close()
  })

  onDatabase('a second time, to a state before the bump, needs a longer one', async (executor) => {
    const clock = new HostClock()
    const workers = workerLeases(executor, { ...users, clock })
    await (await workers.acquire({ ...ann, ttlMs: 1_000 })).close()
    const restore = await backUp(executor)
    const made: bigint[] = []
    for (const hours of [3, 6, 9]) {
      await restore()
      await bumpLeases(executor, { aheadMs: hours * 3_600_000 })
      const lease = await workers.acquire(ann)
      made.push(...mint(lease, 5_000, clock))
    }
    expect(new Set(made).size).toBe(15_000)
    await executor.execute(plain('delete from shard_leases'))
  })

  onDatabase('all of it: an emptied table is refused until it is bumped', async (executor) => {
    const workers = workerLeases(executor, users)
    const first = await workers.acquire(ann)
    await executor.execute(plain('delete from shard_leases'))
    await expect(workers.acquire(ann)).rejects.toMatchObject({ code: 'SCHEMA_MISMATCH' })
    await bumpLeases(executor)
    const second = await workers.acquire(ann)
    expect(second.mintFromMs).toBeGreaterThan(first.mintUntilMs)
    expect(second.epoch).toBeGreaterThan(first.epoch)
    expect(await first.extend()).toBe(false)
    await second.close()
  })
}
