import type { Executor } from '@shard/core'
import type { ShardRegistry } from '@shard/registry'
import { describe, expect, test } from 'vitest'
import { settledWithin } from '../src/fence/paused.ts'
import { type Database, databases, withServer } from './databases.ts'
import { registryOn } from './registry-hosts.ts'
import { onSharedDatabase } from './shared-database.ts'

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => races(engine))
  })
}

type Connect = () => Executor

function races(engine: Database): void {
  const onDatabase = (name: string, body: (connect: Connect) => Promise<void>) =>
    test(name, () => onSharedDatabase(engine, ({ connect }) => body(connect)))

  onDatabase('two connections race for each transition: one wins it', async (connect) => {
    const [a, b] = [registryOn(connect()), registryOn(connect())]
    await a.register({ id: 1, name: 'one', status: 'active' })
    for (let round = 0; round < 50; round++) {
      const racers = [a, b, a, b]
      const down = await Promise.all(racers.map((r) => r.transition(1, 'active', 'disabled')))
      const up = await Promise.all(racers.map((r) => r.transition(1, 'disabled', 'active')))
      expect([down.filter(Boolean).length, up.filter(Boolean).length]).toEqual([1, 1])
    }
    const lines = await b.history(1)
    expect(lines.map(({ version }) => version)).toEqual(lines.map((_, i) => BigInt(i + 1)))
    expect(lines).toHaveLength(101)
  })

  onDatabase('two connections race for each swap: one wins it, and one shard is active', async (connect) => {
    const [a, b] = [registryOn(connect()), registryOn(connect())]
    await a.register({ id: 0, name: '0', status: 'active' })
    for (let id = 1; id <= 40; id++) await a.register({ id, name: `${id}`, status: 'standby' })
    let active = 0
    for (let next = 1; next < 40; next += 2) {
      const version = (await a.get(active))?.version ?? 0n
      // They disagree on the successor, as placers with different views would.
      const [first, second] = await Promise.all([
        a.swapActive(active, next, version),
        b.swapActive(active, next + 1, version),
      ])
      expect(Number(first) + Number(second)).toBe(1)
      const successor = first ? next : next + 1
      expect(await activeOf(b)).toEqual([successor])
      expect((await b.get(active))?.successorId).toBe(successor)
      active = successor
    }
  })

  onDatabase('two connections begin a family at once, 20 times: one shard is active', async (connect) => {
    const [a, b] = [connect(), connect()]
    for (let round = 0; round < 20; round++) {
      const racers = [registryOn(a, `family_${round}`), registryOn(b, `family_${round}`)] as const
      await Promise.all(
        racers.map((registry, id) => registry.register({ id, name: `${id}`, status: 'standby' })),
      )
      const answers = await Promise.all(racers.map((registry, id) => registry.swapActive(null, id, 1n)))
      expect(answers.filter(Boolean)).toHaveLength(1)
      expect(await activeOf(racers[0])).toEqual([answers.indexOf(true)])
    }
  })

  onDatabase('a promotion waits for one that is not committed, and then sees it', async (connect) => {
    const [a, witness] = [registryOn(connect()), connect()]
    for (const id of [1, 2]) await a.register({ id, name: `${id}`, status: 'standby' })
    let promoting: Promise<boolean> = Promise.resolve(true)
    await connect().transaction(async (tx) => {
      expect(await registryOn(tx).swapActive(null, 2, 1n)).toBe(true)
      promoting = a.swapActive(null, 1, 1n)
      expect(await settledWithin(promoting, witness)).toBe(false)
    })
    expect(await promoting).toBe(false)
    expect(await activeOf(a)).toEqual([2])
  })

  onDatabase('measuring, sealing and promoting at once: no change is lost, none fails', async (connect) => {
    const [a, b] = [registryOn(connect()), registryOn(connect())]
    for (let id = 1; id <= 11; id++) await a.register({ id, name: `${id}`, status: 'standby' })
    const measured = async (registry: ShardRegistry): Promise<void> => {
      for (let i = 0; i < 30; i++) await registry.measure((i % 11) + 1, BigInt(i))
    }
    const filled = async (registry: ShardRegistry): Promise<void> => {
      for (let next = 1; next <= 11; ) {
        const shards = await registry.list()
        const full = shards.find(({ status }) => status === 'active') ?? null
        const { version = 0n, id = null } = full ?? {}
        const standby = shards.find(({ status }) => status === 'standby')
        if (!standby) return
        await registry.swapActive(id, standby.id, id === null ? standby.version : version)
        next = standby.id
      }
    }
    await Promise.all([measured(a), filled(b), measured(b), filled(a)])
    const shards = await a.list()
    expect(shards.map(({ status }) => status)).toEqual([...Array(10).fill('sealed'), 'active'])
    const histories = await Promise.all(shards.map(({ id }) => a.history(id)))
    for (const lines of histories.slice(0, 10))
      expect(lines.map(({ to }) => to)).toEqual(['standby', 'active', 'sealed'])
    const changes = histories.flat().length + 60
    expect(shards.reduce((sum, { version }) => sum + version, 0n)).toBe(BigInt(changes))
  })

  // On SQLite a transaction keeps all others from writing.
  if (engine.dialect === 'sqlite') return

  onDatabase(
    'a transaction that has read before its rival committed does not promote a second shard',
    async (connect) => {
      const rival = registryOn(connect())
      for (const id of [1, 2]) await rival.register({ id, name: `${id}`, status: 'standby' })
      await connect().transaction(async (tx) => {
        expect(await activeOf(registryOn(tx))).toEqual([])
        expect(await rival.swapActive(null, 2, 1n)).toBe(true)
        await rival.register({ id: 3, name: '3', status: 'standby' })
        expect(await registryOn(tx).swapActive(null, 1, 1n)).toBe(false)
        expect(await registryOn(tx).transition(3, 'sealed', 'disabled')).toBe(false)
        expect(await registryOn(tx).swapActive(2, 3, 2n)).toBe(true)
      })
      expect(await activeOf(rival)).toEqual([3])
    },
  )

  onDatabase(
    "a change that waits for a caller's transaction, which waits for it, is made in the end",
    async (connect) => {
      const [registry, witness] = [registryOn(connect()), connect()]
      for (const id of [1, 2]) await registry.register({ id, name: `${id}`, status: 'active' })
      let sealing: Promise<boolean> = Promise.resolve(false)
      const whole = connect().transaction(async (tx) => {
        await registryOn(tx).measure(1, 1n)
        sealing = registry.transition(1, 'active', 'sealed')
        await settledWithin(sealing, witness)
        return registryOn(tx).transition(2, 'active', 'sealed')
      })
      // Whom of the two the engine refuses is its own choice; only the caller can run its transaction again.
      const end = await whole.catch((error: { code?: unknown }) => error.code)
      expect([true, 'DEADLOCK']).toContain(end)
      expect(await sealing).toBe(true)
      const second = end === true ? 'sealed' : 'active'
      expect((await registry.list()).map(({ status }) => status)).toEqual(['sealed', second])
    },
  )
}

async function activeOf(registry: ShardRegistry): Promise<number[]> {
  return (await registry.list()).filter(({ status }) => status === 'active').map(({ id }) => id)
}
