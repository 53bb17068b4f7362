import type { Mutation } from './mutation.ts'
import { unit } from './tests.ts'

/** Faults in the hand-off of shards; each shows within the first 2,000 runs of the simulation. */
export const coordinatorMutations: readonly Mutation[] = [
  {
    name: "a grant's token is taken from the leader's epoch",
    file: 'packages/coordinator-es/src/shard-desk.ts',
    find: '...(raised !== false && { raised })',
    replace: '...(raised !== false && { raised: this.#desk.needLead().epoch })',
    tests: unit('coordinator-es', 'simulation'),
  },
  {
    name: 'the fence is not raised before a hand-off ends',
    file: 'packages/coordinator-es/src/shard-desk.ts',
    find: '&& (await this.#raise(shardId))',
    replace: '&& (await this.#fences.read(shardId)).token + 1n',
    tests: unit('coordinator-es', 'simulation'),
  },
  {
    name: 'a fenced write takes no lock',
    file: 'packages/coordinator-es/test/simulation/shard-database.ts',
    find: 'const LOCKS_FENCE = true',
    replace: 'const LOCKS_FENCE = false',
    tests: unit('coordinator-es', 'simulation'),
  },
  {
    name: 'a shard is allocated whether it has a home or not',
    file: 'packages/coordinator-es/src/decide-shard.ts',
    find: 'if (home) throw new AlreadyAllocatedError',
    replace: "if (home?.region === '') throw new AlreadyAllocatedError",
    tests: unit('coordinator-es', 'simulation'),
  },
  {
    name: 'a late ack of an older hand-off is taken for one of this',
    file: 'packages/coordinator-es/src/shard-desk.ts',
    find: 'if (shard?.handoff?.id !== handoff || !isItsSource) return',
    replace: 'if (!shard?.handoff) return; handoff = shard.handoff.id',
    tests: unit('coordinator-es', 'simulation'),
  },
  {
    name: 'a write that failed leaves its sequence behind',
    file: 'packages/coordinator-es/src/ledger.ts',
    find: 'if (!isOurs) return false',
    replace: 'if (!isOurs) { state.sequence += BigInt(events.length); return false }',
    tests: unit('coordinator-es', 'simulation'),
  },
  {
    name: 'an empty slot is taken for "not applied"',
    file: 'packages/coordinator-es/src/settle-append.ts',
    find: "if (owner !== null) return owner === 'ours'",
    replace: "if (owner !== null) return owner === 'ours'; else throw new NotLeaderError('not applied')",
    tests: unit('coordinator-es', 'simulation'),
  },
  {
    name: 'a leader that was deposed may delete events',
    file: 'packages/coordinator-es/src/memory-journal.ts',
    find: 'if (!stream || epoch < head.epoch || head.sequence < sequence) return head',
    replace: 'if (!stream || head.sequence < sequence) return head',
    tests: unit('coordinator-es', 'simulation'),
  },
  {
    name: 'an ack of an earlier start of a region is believed',
    file: 'packages/coordinator-es/src/shard-desk.ts',
    find: 'shard?.home.region === region && shard.home.incarnation === incarnation',
    replace: 'shard?.home.region === region && incarnation > 0n',
    tests: unit('coordinator-es', 'coordinator'),
  },
]
