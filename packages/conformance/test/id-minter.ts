import { closeSync, openSync, writeSync } from 'node:fs'
import {
  type Clock,
  delay,
  type Executor,
  IdAllocator,
  isShardError,
  type Layout,
  ShardCodec,
  systemClock,
  type WorkerLease,
} from '@shard/core'
import { workerLeases } from '@shard/registry'
import { openDatabase } from './fresh-database.ts'

// One of several processes that mint on one shard; it may be killed or stopped at any time. minting.ts starts it.

/** What a process is to mint. */
export interface Minting {
  /** Of the control database; null for ids without a lease. */
  readonly url: string | null
  readonly layout: Layout
  readonly ttlMs: number
  /** By how much its wall clock is ahead. */
  readonly aheadMs: number
  readonly count: number
  /** After so many it gives its number back and takes another. */
  readonly perLease: number
  /** 64-bit integers; ids go to one of them by their millisecond. */
  readonly files: readonly string[]
}

/** How many ids a file is kept behind by. */
const BUFFERED = 4_096

/** How far stamps may run ahead: little, so that the clock sets the pace. */
const MAX_AHEAD_MS = 20

const codec = ShardCodec.default

/** Files of ids, each with a buffer. */
class Sink {
  readonly #files: readonly { readonly fd: number; readonly ids: BigUint64Array; used: number }[]
  readonly #shift: bigint

  constructor({ files, layout }: Minting) {
    const size = files.length === 1 ? 1 : BUFFERED
    this.#files = files.map((file) => ({ fd: openSync(file, 'w'), ids: new BigUint64Array(size), used: 0 }))
    this.#shift = BigInt(layout.counterBits)
  }

  write(ids: BigUint64Array): void {
    const [only, ...others] = this.#files
    if (only && others.length === 0) return void writeSync(only.fd, ids)
    const count = this.#files.length
    for (const id of ids) {
      const file = this.#files[Number(BigInt.asUintN(30, id >> this.#shift)) % count] as NonNullable<
        typeof only
      >
      file.ids[file.used++] = id
      if (file.used < BUFFERED) continue
      writeSync(file.fd, file.ids)
      file.used = 0
    }
  }

  close(): void {
    for (const { fd, ids, used } of this.#files) {
      writeSync(fd, ids.subarray(0, used))
      closeSync(fd)
    }
  }
}

async function mint(minting: Minting): Promise<void> {
  const { url, aheadMs, count, perLease } = minting
  const clock: Clock = { ...systemClock, now: () => Date.now() + aheadMs }
  const sink = new Sink(minting)
  const executor = url === null ? null : openDatabase(url, 2)
  for (let made = 0; made < count; ) {
    const worker = executor && (await acquire(executor, minting, clock))
    const options = { layout: minting.layout, clock, maxAheadMs: MAX_AHEAD_MS }
    const allocator = new IdAllocator(worker ? { ...options, worker } : options)
    made += await mintSome(allocator, Math.min(perLease, count - made), sink)
    await worker?.close()
  }
  sink.close()
  await executor?.close()
}

/** Mints one at a time and many at once, until there are enough or the lease is lost. */
async function mintSome(allocator: IdAllocator, count: number, sink: Sink): Promise<number> {
  const ones = new BigUint64Array(100)
  let made = 0
  try {
    while (made < count) {
      ones[0] = await allocator.wait(codec, 1)
      sink.write(ones.subarray(0, 1))
      made++
      const many = Math.min(1 + ((made * 7) % 600), count - made)
      if (many > 0) sink.write(await nextMany(allocator, many))
      made += many
      for (let i = 0; i < Math.min(ones.length, count - made); i++) ones[i] = await allocator.wait(codec, 1)
      const singles = Math.min(ones.length, count - made)
      sink.write(ones.subarray(0, singles))
      made += singles
      await new Promise(setImmediate)
    }
  } catch (error) {
    if (!isShardError(error, 'LEASE_LOST')) throw error
  }
  return made
}

async function nextMany(allocator: IdAllocator, count: number): Promise<BigUint64Array> {
  for (;;) {
    try {
      return allocator.nextMany(codec, 1, count)
    } catch (error) {
      if (!isShardError(error) || !error.retryable) throw error
      await delay(5)
    }
  }
}

/** Waits for a number; the database may be busy. */
async function acquire(executor: Executor, { layout, ttlMs }: Minting, clock: Clock): Promise<WorkerLease> {
  const workers = workerLeases(executor, { family: 'users', layout, clock })
  for (;;) {
    try {
      return await workers.acquire({ owner: `process ${process.pid}`, ttlMs })
    } catch (error) {
      if (!isShardError(error) || !error.retryable) throw error
      await delay(50)
    }
  }
}

process.once('message', (minting: Minting) => {
  mint(minting).then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
      process.exit(1)
    },
  )
})
process.send?.('ready')
