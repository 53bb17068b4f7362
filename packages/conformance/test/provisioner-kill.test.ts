import { describe, expect, test } from 'vitest'
import { type Child, withChildren } from './children.ts'
import { type Database, databases, withServer } from './databases.ts'
import type { Provisioning } from './provisioning-process.ts'
import { onWorkbench, type Workbench } from './workbenches.ts'

type Step = Provisioning['after']

const long = { timeoutMs: 170_000 }
const pauses: readonly Step[] = ['registered', 'prepared']

/** Where processes are killed: provisioner.test.ts ends a run at every step on every engine. */
const kills: Record<Database['dialect'], readonly Step[]> = {
  sqlite: ['registered', 'created', 'identified', 'prepared', 'standby'],
  postgres: ['created', 'prepared'],
  mysql: ['created', 'prepared'],
}

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      onProcesses(
        engine,
        'killed right after a step, a provisioner is followed by one that finishes its work',
        kills[engine.dialect],
        killed,
      )
      onProcesses(
        engine,
        'one that stands still until another has finished its work does no harm when it goes on',
        pauses,
        paused,
      )
    })
  })
}

type Body = (bench: Workbench, child: Child, after: Step) => Promise<void>

function onProcesses(engine: Database, name: string, steps: readonly Step[], body: Body): void {
  const work = async (children: readonly Child[]): Promise<void> => {
    const bodies = children.map((child, i) =>
      onWorkbench(engine, (bench) => body(bench, child, steps[i] ?? 'standby')),
    )
    await Promise.all(bodies)
  }
  test(name, () => withChildren('provisioning-process.ts', steps.length, work, long), long.timeoutMs)
}

async function killed(bench: Workbench, child: Child, after: Step): Promise<void> {
  await child.ask<{ pid: number }>(taskOf(bench, after, 'SIGKILL'))
  await child.ended
  await takeOver(bench)
}

async function paused(bench: Workbench, child: Child, after: Step): Promise<void> {
  const { pid } = await child.ask<{ pid: number }>(taskOf(bench, after, 'SIGSTOP'))
  try {
    await takeOver(bench)
    // It is even in use by now.
    const [first] = await bench.registry.list()
    await bench.registry.swapActive(null, 1, first?.version ?? 0n)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  const { state } = await child.ask<{ state: string }>('go on')
  expect(['done', 'lost', 'failed']).toContain(state)
  const shards = await bench.registry.list()
  expect(shards.map(({ id, status }) => [id, status])[0]).toEqual([1, 'active'])
  expect(await bench.existing()).toEqual(shards.map(({ name }) => name))
}

function taskOf({ url, family, folder }: Workbench, after: Step, how: Provisioning['how']): Provisioning {
  return { site: { url, family, folder }, after, how }
}

/** Finishes, once the lease of the one before is over by the database's clock; whoever holds it need not know. */
async function takeOver(bench: Workbench): Promise<void> {
  const provisioner = bench.provisioner({ keepStandbys: 1 })
  expect((await provisioner.run()).state).toBe('busy')
  await bench.connect().execute({ sql: 'update shard_leases set expires_at_ms = 0', parameters: [] })
  expect((await provisioner.run()).state).toBe('done')
  const shards = await bench.registry.list()
  expect(shards.map(({ id, status, schemaVersion }) => [id, status, schemaVersion])).toEqual([
    [1, 'standby', 7n],
  ])
  expect(await bench.existing()).toEqual([shards[0]?.name])
}
