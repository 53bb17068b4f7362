import { IdAllocator, ShardCodec, systemClock, type WorkerLease } from '@shard/core'
import { type IdMaker, idPeers } from './id-peers.ts'
import type { Comparison, Contestant } from './side-by-side.ts'

/** How many ids are made in one go to count repeats. */
const COUNTED = 200_000

/** A multiple of 1,024, so that `nextMany` makes as many as the others; about a millisecond of work. */
const BATCH = 10 * 1_024

const ROUNDS = 100

const AHEAD = 'bursts: ours may stamp up to an hour ahead'

/** Making ids, against public libraries. */
export function ids(): Comparison[] {
  const peers = idPeers().map((maker) => ({ ...single(maker), isPeer: true }))
  const burst = { maxAheadMs: 3_600_000 }
  const alone = new IdAllocator(burst)
  const leased = new IdAllocator({ ...burst, worker: lease(3) })
  return [
    {
      title: `One id at a time (${AHEAD}); x is against the fastest peer`,
      batch: BATCH,
      rounds: ROUNDS,
      contestants: [
        ...peers,
        single(oneShard('IdAllocator.next', alone)),
        single(manyShards('IdAllocator.next, 256 shards in turn', alone)),
        single(oneShard('IdAllocator.next, with a lease', leased)),
        clockAlone,
      ],
    },
    {
      title: `1,024 ids at a time (${AHEAD}); x is against the fastest peer, one at a time`,
      batch: BATCH,
      rounds: ROUNDS,
      contestants: [
        ...peers,
        many('IdAllocator.nextMany(1024)', alone),
        many('IdAllocator.nextMany(1024), with a lease', leased),
      ],
    },
  ]
}

const codec = ShardCodec.default

function oneShard(name: string, allocator: IdAllocator): IdMaker {
  return {
    name,
    next: () => allocator.next(codec, 7),
    loop(count) {
      let last: unknown
      for (let i = 0; i < count; i++) last = allocator.next(codec, 7)
      return last
    },
  }
}

function manyShards(name: string, allocator: IdAllocator): IdMaker {
  return {
    name,
    next: () => allocator.next(codec, 7),
    loop(count) {
      let last: unknown
      for (let i = 0; i < count; i++) last = allocator.next(codec, i & 255)
      return last
    },
  }
}

function single({ name, next, loop }: IdMaker): Contestant {
  return {
    name,
    run(batch) {
      if (loop(batch) === undefined) throw new Error(`${name} made nothing`)
    },
    remark: () => repeats(Array.from({ length: COUNTED }, next)),
  }
}

function many(name: string, allocator: IdAllocator): Contestant {
  return {
    name,
    run(batch) {
      for (let i = 0; i < batch; i += 1_024) allocator.nextMany(codec, 7, 1_024)
    },
    remark() {
      const made = Array.from({ length: Math.ceil(COUNTED / 1_024) }, () =>
        allocator.nextMany(codec, 7, 1_024),
      )
      return repeats(made.flatMap((ids) => [...ids]))
    },
  }
}

/** What none can do without. */
const clockAlone: Contestant = {
  name: 'Date.now alone',
  run(batch) {
    let sum = 0
    for (let i = 0; i < batch; i++) sum += Date.now()
    if (sum === 0) throw new Error('no clock')
  },
}

function repeats(made: readonly unknown[]): string {
  return `${made.length - new Set(made).size} repeats in ${made.length}`
}

/** A lease that lasts: what is measured is the minting, not the database that the number comes from. */
function lease(worker: number): WorkerLease {
  const nowMs = systemClock.monotonicMs()
  const mintFromMs = systemClock.now()
  return {
    worker,
    epoch: 1n,
    token: 'bench',
    mintFromMs,
    mintUntilMs: mintFromMs + 86_400_000,
    acquiredAtMonotonicMs: nowMs,
    expiresAtMonotonicMs: nowMs + 86_400_000,
    lost: new AbortController().signal,
    extend: async () => true,
    release: async () => true,
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }
}
