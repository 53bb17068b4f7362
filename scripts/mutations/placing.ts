import type { Mutation } from './mutation.ts'
import { conformance, unit } from './tests.ts'

/** Faults of the registry, the placer and the provisioner. */
export const placingMutations: readonly Mutation[] = [
  {
    name: 'a reservation ignores the version that was read',
    file: 'packages/registry/src/fields-sql.ts',
    find: ".where('version', '=', expectedVersion)",
    replace: '',
    tests: conformance('registry', '^sqlite reservations'),
  },
  {
    name: 'keys are reserved on a shard that is not active',
    file: 'packages/registry/src/fields-sql.ts',
    find: ".where('status', '=', 'active')",
    replace: '',
    tests: conformance('registry', '^sqlite reservations'),
  },
  {
    name: 'a measurement drops every reservation',
    file: 'packages/registry/src/fields-sql.ts',
    find: '> 0 then',
    replace: '< 0 then',
    tests: conformance('registry', '^sqlite reservations'),
  },
  {
    name: 'an older measurement undoes a newer one',
    file: 'packages/registry/src/fields-sql.ts',
    find: ".where(sql<bigint>`reserved_ever - reserved_keys`, '<=', reservedBefore)",
    replace: '',
    tests: conformance('registry', '^sqlite reservations'),
  },
  {
    name: 'half a swap is kept',
    file: 'packages/registry/src/shards-sql.ts',
    find: 'if (!(await work(tx))) throw rollback',
    replace: 'await work(tx)',
    tests: conformance('registry', '^sqlite swapping'),
  },
  {
    name: 'a standby begins although a shard is active',
    file: 'packages/registry/src/sql.ts',
    find: 'if (await hasActive(tx)) return false',
    replace: '',
    tests: conformance('registry', '^sqlite swapping'),
  },
  {
    name: 'the table takes any number of reserved keys',
    file: 'packages/registry/src/postgres.ts',
    find: 'check (reserved_keys between 0 and reserved_ever)',
    replace: 'check (reserved_keys is not null)',
    tests: conformance('registry-tables', '^postgres'),
  },
  {
    name: 'the placer does not count what is reserved',
    file: 'packages/placer/src/room.ts',
    find: 'return reservedKeys * BigInt(bytesPerKey)',
    replace: 'return reservedKeys * 0n * BigInt(bytesPerKey)',
    tests: unit('placer', 'quota', 'operators'),
  },
  {
    name: 'the placer seals by estimates',
    file: 'packages/placer/src/promotion.ts',
    find: 'if (full === null && serving.some(isReachable)) return null',
    replace: '',
    tests: unit('placer', 'promotion'),
  },
  {
    name: 'a standby with an older schema is promoted',
    file: 'packages/placer/src/promotion.ts',
    find: 'shard.schemaVersion >= schemaVersion',
    replace: 'shard.schemaVersion >= 0n * schemaVersion',
    tests: unit('placer', 'promotion'),
  },
  {
    name: 'a view of the registry never grows old',
    file: 'packages/placer/src/settler.ts',
    find: 'this.#options.clock.monotonicMs() < this.#staleAtMs ? this.#view : null',
    replace: 'this.#view',
    tests: unit('placer', 'placer'),
  },
  {
    name: 'what left provisioning is dropped when it is retired',
    file: 'packages/placer/src/provisioner/plan.ts',
    find: "history.every(({ to }) => to === 'provisioning' || to === 'retired')",
    replace: "history.some(({ to }) => to === 'provisioning' || to === 'retired')",
    tests: conformance('provisioner-drops', '^sqlite what has left'),
  },
  {
    name: 'a database is dropped before its row is retired',
    file: 'packages/placer/src/provisioner/make-shard.ts',
    find: "if (!(await registry.transition(shard.id, 'provisioning', 'retired', note))) return false",
    replace: 'await dropShard(shop, shard)',
    tests: conformance('provisioner', '^sqlite'),
  },
  {
    name: "another's database is taken for a new shard",
    file: 'packages/placer/src/provisioner/make-shard.ts',
    find: 'if (isBlank) await writeIdentity(executor, identity)',
    replace: 'await writeIdentity(executor, identity)',
    tests: conformance('provisioner-drops', "^sqlite another's"),
  },
  {
    name: 'what was made for a retired row is left behind',
    file: 'packages/placer/src/provisioner/make-shard.ts',
    find: '  await dropShard(shop, now)',
    replace: '',
    tests: conformance('provisioner-drops', '^sqlite what is retired'),
  },
  {
    name: 'a number is used again',
    file: 'packages/placer/src/provisioner/plan.ts',
    find: 'shards.reduce((max, { id }) => Math.max(max, id), firstShard - 1)',
    replace:
      'shards.filter(({ status }) => status !== "retired").reduce((max, { id }) => Math.max(max, id), firstShard - 1)',
    tests: unit('placer', 'plan'),
  },
]
