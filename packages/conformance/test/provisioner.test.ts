import { ConnectionLostError, delay } from '@shard/core'
import type { ShardDatabases } from '@shard/placer'
import { describe, expect, test } from 'vitest'
import { type Database, databases, withServer } from './databases.ts'
import { checkConverged, nameOf, onWorkbench, statusesOf, stopAfter, type Workbench } from './workbenches.ts'

const plain = (sql: string) => ({ sql, parameters: [] })
const MAKING = ['registered', 'created', 'identified', 'prepared', 'standby'] as const

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      const onBench = (name: string, body: (bench: Workbench) => Promise<void>) =>
        test(name, () => onWorkbench(engine, body))
      making(onBench)
      crashes(onBench)
      names(engine)
    })
  })
}

type OnBench = (name: string, body: (bench: Workbench) => Promise<void>) => void

function making(onBench: OnBench): void {
  onBench(
    'two standbys are made and kept: complete, numbered upwards, with what the app says',
    async (bench) => {
      const steps: string[] = []
      const provisioner = bench.provisioner({
        onStep: ({ step, shard }) => void steps.push(`${shard} ${step}`),
      })
      const made = await provisioner.run()
      expect(made).toEqual({
        state: 'done',
        actions: [1, 2].map((shard) => ({ action: 'create', shard, name: nameOf(bench, shard) })),
        failures: [],
      })
      expect(steps).toEqual([1, 2].flatMap((shard) => MAKING.map((step) => `${shard} ${step}`)))
      await checkConverged(bench)
      expect((await provisioner.run()).actions).toEqual([])
      const [one] = await bench.registry.list()
      expect(one).toMatchObject({ maxBytes: 1_000n, status: 'standby' })
      await bench.registry.swapActive(null, 1, one?.version ?? 0n)
      expect((await provisioner.run()).actions.map(({ shard }) => shard)).toEqual([3])
      expect(await statusesOf(bench)).toEqual(['1 active', '2 standby', '3 standby'])
      const lines = (await bench.registry.history(3)).map(({ to, by }) => [to, by])
      expect(lines).toEqual([
        ['provisioning', 'provisioner'],
        ['provisioning', 'provisioner'],
        ['standby', 'provisioner'],
      ])
    },
  )

  onBench('a dry run says what would be done, and does nothing', async (bench) => {
    await bench.registry.register({ id: 4, name: nameOf(bench, 4), status: 'provisioning' })
    const before = await bench.registry.list()
    const { actions, state } = await bench.provisioner().run({ dryRun: true })
    expect([state, actions.map(({ action, shard }) => [action, shard])]).toEqual([
      'done',
      [
        ['resume', 4],
        ['create', 5],
      ],
    ])
    const cleaned = await bench.provisioner().clean({ dryRun: true, olderThanMs: 0 })
    expect(cleaned.actions.map(({ action, shard }) => [action, shard])).toEqual([['retire', 4]])
    expect(await bench.registry.list()).toEqual(before)
    expect(await bench.existing()).toEqual([])
  })

  onBench('of two at once one works, and the other says so', async (bench) => {
    const other = bench.provisioner()
    const states: string[] = []
    const provisioner = bench.provisioner({ onStep: async () => void states.push((await other.run()).state) })
    expect((await provisioner.run()).state).toBe('done')
    expect(new Set(states)).toEqual(new Set(['busy']))
    expect((await other.run()).state).toBe('done')
    await checkConverged(bench)
  })

  onBench('what the schema step throws ends the run, and the next goes on', async (bench) => {
    const broken = bench.provisioner({
      provision: { ...bench.provision, schema: () => Promise.reject(new Error('a bad migration')) },
    })
    const failed = await broken.run()
    expect([failed.state, failed.failures.map(({ shard }) => shard)]).toEqual(['failed', [1]])
    expect(await statusesOf(bench)).toEqual(['1 provisioning'])
    expect((await bench.provisioner().run()).actions.map(({ action }) => action)).toEqual([
      'resume',
      'create',
    ])
    await checkConverged(bench)
  })

  onBench('the signal ends it between two steps', async (bench) => {
    const giveUp = new AbortController()
    const provisioner = bench.provisioner({
      onStep: ({ step }) => {
        if (step === 'created') giveUp.abort('enough')
      },
    })
    await expect(provisioner.run({ signal: giveUp.signal })).rejects.toBeDefined()
    await expect(provisioner.run({ signal: giveUp.signal })).rejects.toMatchObject({ code: 'ABORTED' })
    expect((await bench.provisioner().run()).state).toBe('done')
    await checkConverged(bench)
  })

  onBench('a watch goes on after an error, until it is told to stop', async (bench) => {
    const stop = new AbortController()
    const ends: string[] = []
    let broken = true
    const provisioner = bench.provisioner({
      // The wait between two runs, and no other.
      delay: (ms, signal) => (ms === 30_000 ? Promise.resolve() : delay(ms, signal)),
      onStep: () => {
        if (broken) throw new Error('a bad callback')
      },
    })
    await provisioner.watch({
      signal: stop.signal,
      onRun: ({ state }) => {
        ends.push(state)
        broken = false
        if (state === 'done') stop.abort()
      },
    })
    expect(ends).toEqual(['error', 'done'])
    await checkConverged(bench)
  })
}

function crashes(onBench: OnBench): void {
  onBench('at any step a run may end: the next one finishes its work', async (bench) => {
    for (const last of MAKING) {
      const dying = bench.provisioner({
        onStep: ({ step }) => {
          if (step === last) throw new Error(`dead after ${last}`)
        },
      })
      await expect(dying.run()).rejects.toThrow(`dead after ${last}`)
      expect((await bench.provisioner().run()).state).toBe('done')
      await checkConverged(bench)
      for (const { id, status } of await bench.registry.list())
        if (status === 'standby') await bench.registry.transition(id, 'standby', 'disabled')
      for (const name of await bench.existing()) await bench.databases.drop(name)
      for (const { id, status } of await bench.registry.list())
        if (status === 'disabled') await bench.registry.transition(id, 'disabled', 'retired')
    }
  })

  onBench('a cleaning may end at any step too: the next run drops what it left', async (bench) => {
    for (const last of ['retired', 'dropped'] as const) {
      const halfDone = bench.provisioner({ onStep: stopAfter('prepared') })
      await expect(halfDone.run()).rejects.toThrow()
      const [row] = (await bench.registry.list()).filter(({ status }) => status === 'provisioning')
      const cleaner = bench.provisioner({ onStep: stopAfter(last) })
      await expect(cleaner.clean({ olderThanMs: 0 })).rejects.toThrow(last)
      expect((await bench.registry.get(row?.id ?? 0))?.status).toBe('retired')
      expect((await bench.provisioner().run()).state).toBe('done')
      await checkConverged(bench)
      expect(await bench.existing()).not.toContain(row?.name)
      for (const { id, status } of await bench.registry.list()) {
        if (status === 'standby') await bench.registry.transition(id, 'standby', 'retired')
      }
      for (const name of await bench.existing()) await bench.databases.drop(name)
    }
  })

  onBench(
    'a reply that is lost, after any call to the databases: the next run finishes its work',
    async (bench) => {
      for (const method of ['create', 'exists', 'isBlank', 'open'] as const) {
        const lossy: ShardDatabases = {
          ...bench.databases,
          [method]: async (...args: never[]) => {
            const result: unknown = await (bench.databases[method] as (...args: never[]) => unknown)(...args)
            if (method === 'open') await (result as { close(): Promise<void> }).close()
            throw new ConnectionLostError(new Error('no reply'), 'unknown')
          },
        }
        await bench.provisioner({ provision: { ...bench.provision, databases: lossy } }).run()
        expect((await bench.provisioner().run()).state).toBe('done')
        await checkConverged(bench)
        const [first] = (await bench.registry.list()).filter(({ status }) => status === 'standby')
        await bench.registry.transition(first?.id ?? 0, 'standby', 'active')
      }
    },
  )
}

function names(engine: Database): void {
  test('hostile names are refused before anything is asked', async () => {
    await onWorkbench(engine, async ({ databases: made, existing }) => {
      for (const name of ['../a', 'a"; drop table shards', "a'b", 'a`b', 'A', '', 'a'.repeat(64)]) {
        for (const call of [made.create(name), made.exists(name), made.drop(name), made.open(name)])
          await expect(call).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
      }
      expect(await existing()).toEqual([])
    })
  })

  test('create, drop and exists may each be called again', async () => {
    await onWorkbench(engine, async (bench) => {
      const name = nameOf(bench, 1)
      await Promise.all([bench.databases.create(name), bench.databases.create(name)])
      const executor = bench.open(name)
      expect(await bench.databases.isBlank(executor)).toBe(true)
      await executor.execute(plain('create table a (id bigint)'))
      await bench.databases.create(name)
      expect(await bench.databases.isBlank(executor)).toBe(false)
      await executor.close()
      for (const there of [true, false, false]) {
        expect(await bench.databases.exists(name)).toBe(there)
        await bench.databases.drop(name)
      }
    })
  })
}
