import { IdAllocator, isShardError, ShardCodec, ShardingSettings } from '@shard/core'
import { legalTransitions, memoryRegistry, type ShardChange, type ShardRegistry } from '@shard/registry'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Placer } from '../src/placer.ts'
import { registryWith } from './registry-with.ts'

const settings = ShardingSettings.encoded('users', ShardCodec.default)
const SHARDS = 8
/** Keys after which a shard is full; each key is one byte. An operator sets it to one or the other. */
const ROOM = [6n, 9n] as const
const KEYS = 6

type Command = 'seal' | 'disable' | 'enable' | 'capacity' | 'measure' | 'fail to measure'
const commands = fc.array(
  fc.constantFrom<Command>('seal', 'disable', 'enable', 'capacity', 'measure', 'fail to measure'),
  { maxLength: 6 },
)

/** A registry whose every call takes its turn, and whose answer another, when the scheduler says so. */
function scheduled(registry: ShardRegistry, s: fc.Scheduler): ShardRegistry {
  const names = ['list', 'get', 'reserve', 'swapActive', 'transition', 'measure'] as const
  const turns = names.map((name) => {
    const method = registry[name].bind(registry) as (...args: unknown[]) => Promise<unknown>
    const call = s.scheduleFunction(method)
    const answer = s.scheduleFunction(async (value: unknown) => value)
    return [name, async (...args: unknown[]) => answer(await call(...args))]
  })
  return registryWith(registry, Object.fromEntries(turns))
}

/** A fleet of small shards, and what is stored on them. */
async function fleet(s: fc.Scheduler) {
  const real = memoryRegistry({ family: 'users' })
  for (let id = 1; id <= SHARDS; id++)
    await real.register({
      id,
      name: `${id}`,
      status: 'standby',
      maxBytes: ROOM[1],
      admitThreshold: 0.5,
      hardThreshold: 1,
    })
  const stored = new Map<number, bigint>()
  const registry = scheduled(real, s)
  const measure = async (): Promise<void> => {
    for (const { id, status, reservedEver } of await registry.list())
      if (status === 'active')
        await registry.measure(id, stored.get(id) ?? 0n, { reservedBefore: reservedEver })
  }
  return { real, registry, stored, measure }
}

type Fleet = Awaited<ReturnType<typeof fleet>>

/** What an operator, or a job beside the placers, does. */
async function operate({ registry, measure, real }: Fleet, command: Command): Promise<void> {
  const shards = await registry.list()
  const first = (status: string) => shards.find((shard) => shard.status === status)?.id
  const [active, disabled] = [first('active'), first('disabled')]
  if (command === 'measure') return measure()
  if (command === 'enable' && disabled)
    await registry.transition(disabled, 'disabled', 'active', { by: 'ann' })
  if (active === undefined) return
  if (command === 'seal') await registry.transition(active, 'active', 'sealed', { by: 'ann' })
  if (command === 'disable') await registry.transition(active, 'active', 'disabled', { by: 'ann' })
  if (command === 'fail to measure') await real.recordSizeError(active, 'no route')
  if (command === 'capacity') {
    const maxBytes = (await real.get(active))?.maxBytes === ROOM[0] ? ROOM[1] : ROOM[0]
    await real.setCapacity(active, { maxBytes }, { by: 'ann' })
  }
}

test('placers among operators, in any interleaving: what is promised holds', async () => {
  const shape = fc.record({
    placers: fc.integer({ min: 1, max: 4 }),
    quota: fc.integer({ min: 1, max: 4 }),
    cacheTtlMs: fc.constantFrom(0, 3_600_000),
  })
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), shape, commands, async (s, { placers, quota, cacheTtlMs }, script) => {
      const all = await fleet(s)
      const { registry, real, stored, measure } = all
      const refusals: unknown[] = []
      const worker = async (): Promise<void> => {
        const allocator = new IdAllocator()
        const options = { allocator, settings, cacheTtlMs, quota, estimatedBytesPerKey: 1, measure }
        const placer = new Placer({ ...options, registry, delay: s.scheduleFunction(async () => {}) })
        for (let i = 0; i < KEYS; i++) {
          const placed = await placer.place().catch((error: unknown) => void refusals.push(error))
          if (placed) stored.set(placed.shard, (stored.get(placed.shard) ?? 0n) + 1n)
        }
      }
      const operator = async (): Promise<void> => {
        for (const command of script) await operate(all, command)
      }
      await s.waitFor(Promise.all([operator(), ...Array.from({ length: placers }, worker)]))
      // Only what had to be refused was: with a standby, or room, there is a shard for every key.
      const shards = await real.list()
      if (shards.some(({ status }) => status === 'standby')) expect(refusals).toEqual([])
      expect(refusals.every((error) => isShardError(error, 'NO_SHARD_AVAILABLE'))).toBe(true)
      for (const size of stored.values())
        expect(size).toBeLessThanOrEqual(ROOM[1] + BigInt(placers * (quota + 1)))
      const histories = await Promise.all(shards.map(({ id }) => real.history(id)))
      for (const [i, lines] of histories.entries()) expect(explained(lines)).toBe(shards[i]?.status)
      checkPlacers(histories.flat(), new Map(shards.map(({ id, successorId }) => [id, successorId])))
    }),
    { numRuns: 300 },
  )
})

/** Follows the history from its first line to its last; the status that it ends in. */
function explained(lines: readonly ShardChange[]): string | null {
  let status: string | null = null
  for (const { from, to } of lines) {
    expect(from).toBe(status)
    if (from !== null && from !== to) expect(legalTransitions[from as 'active']).toContain(to)
    status = to
  }
  return status
}

/** Placers only seal what is active, and only promote standbys: one for each fill, or none being active. */
function checkPlacers(lines: readonly ShardChange[], successors: ReadonlyMap<number, number | null>): void {
  const own = lines.filter(({ by }) => by === 'placer')
  const sealed = own.filter(({ to }) => to === 'sealed')
  const promoted = own.filter(({ to }) => to === 'active')
  expect(own).toHaveLength(sealed.length + promoted.length)
  for (const { from } of sealed) expect(from).toBe('active')
  for (const { from } of promoted) expect(from).toBe('standby')
  const heirs = sealed.flatMap(({ shard }) => successors.get(shard) ?? [])
  const begun = promoted.filter(({ reason }) => reason === 'no shard was active')
  expect(promoted.map(({ shard }) => shard).sort()).toEqual(
    [...new Set([...heirs, ...begun.map(({ shard }) => shard)])].sort(),
  )
}
