import { identified, writeIdentity } from '@shard/sql'
import { describe, expect, test } from 'vitest'
import { databases, withServer } from './databases.ts'
import { checkConverged, nameOf, onWorkbench, statusesOf, stopAfter, type Workbench } from './workbenches.ts'

const plain = (sql: string) => ({ sql, parameters: [] })

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      dropping((name, body) => test(name, () => onWorkbench(engine, body)))
    })
  })
}

type OnBench = (name: string, body: (bench: Workbench) => Promise<void>) => void

function dropping(onBench: OnBench): void {
  onBench("another's database is neither used nor dropped: the next number is taken", async (bench) => {
    const [full, foreign] = [nameOf(bench, 1), nameOf(bench, 2)]
    for (const name of [full, foreign]) await bench.databases.create(name)
    const theirs = bench.open(full)
    await theirs.execute(plain('create table theirs (id bigint primary key)'))
    await theirs.execute(plain('insert into theirs values (1)'))
    const others = bench.open(foreign)
    await writeIdentity(others, { cluster: 'another', family: bench.family, shard: 2 })
    const { state, actions } = await bench.provisioner().run()
    expect([state, actions.map(({ action, shard }) => [action, shard])]).toEqual([
      'failed',
      [
        ['retire', 1],
        ['retire', 2],
        ['create', 3],
        ['create', 4],
      ],
    ])
    expect((await bench.provisioner().run()).actions).toEqual([])
    expect(await statusesOf(bench)).toEqual(['1 retired', '2 retired', '3 standby', '4 standby'])
    expect((await theirs.execute(plain('select id from theirs'))).rows).toHaveLength(1)
    await identified(others, { cluster: 'another', family: bench.family, shard: 2 })
    await Promise.all([theirs.close(), others.close()])
  })

  onBench('a blank database of a run that died before it wrote anything is taken', async (bench) => {
    await bench.databases.create(nameOf(bench, 1))
    await bench.databases.create(nameOf(bench, 1))
    expect((await bench.provisioner().run()).state).toBe('done')
    await checkConverged(bench)
  })

  onBench('what has left provisioning is never dropped', async (bench) => {
    let standby: string | null = null
    // It becomes active while its provisioner still believes that it is to be cleaned.
    const provisioner = bench.provisioner({
      keepStandbys: 1,
      onStep: async ({ step, shard, name }) => {
        if (step !== 'prepared') return
        standby = name
        await bench.registry.transition(shard, 'provisioning', 'standby')
        await bench.registry.transition(shard, 'standby', 'active')
      },
    })
    await provisioner.run()
    expect(await bench.existing()).toContain(standby)
    expect((await bench.provisioner().clean({ olderThanMs: 0 })).actions).toEqual([])
    await bench.registry.transition(1, 'active', 'disabled')
    await bench.registry.transition(1, 'disabled', 'retired')
    await bench.provisioner().run()
    await bench.provisioner().clean({ olderThanMs: 0 })
    expect(await bench.existing()).toContain(standby)
  })

  onBench('what is retired while it is made is dropped by whoever made it', async (bench) => {
    const provisioner = bench.provisioner({
      keepStandbys: 1,
      onStep: async ({ step, shard }) => {
        if (step === 'prepared' && shard === 1) await bench.registry.transition(1, 'provisioning', 'retired')
      },
    })
    await provisioner.run()
    expect(await statusesOf(bench)).toEqual(['1 retired', '2 standby'])
    expect(await bench.existing()).toEqual([nameOf(bench, 2)])
  })

  onBench('a row is cleaned when it is old enough, and its number is not used again', async (bench) => {
    await expect(bench.provisioner({ onStep: stopAfter('identified') }).run()).rejects.toThrow()
    expect((await bench.provisioner().clean()).actions).toEqual([])
    const later = { now: () => Date.now() + 2 * 3_600_000 }
    expect((await bench.provisioner({ clock: later }).clean()).actions).toMatchObject([
      { action: 'retire', shard: 1 },
    ])
    expect(await bench.existing()).toEqual([])
    await bench.provisioner().run()
    expect(await statusesOf(bench)).toEqual(['1 retired', '2 standby', '3 standby'])
  })
}
