import {
  type Clock,
  checkBigint,
  checkInteger,
  checkNumber,
  checkText,
  type Delay,
  InvalidArgumentError,
  MAX_ID,
  type ShardCodec,
  systemClock,
  delay as timer,
} from '@shard/core'
import type { AllocatorHooks } from './allocator-hooks.ts'
import type { BackoffOptions } from './backoff.ts'
import type { AdaptiveOptions } from './block-sizes.ts'
import type { Counter, CounterCall } from './counter.ts'

/** Tells an id that the counter cannot be behind, such as the highest sequence on the shards. */
export type FloorWitness = (call: CounterCall) => Promise<bigint>

/** How an allocator works; every field but the counter has a default. */
export interface BlockAllocatorOptions {
  readonly counter: Counter
  /** Ids in a block: 1 to 2^31 (100); the smallest block, if the size adapts. */
  readonly blockSize?: number | undefined
  /** Lets the size of blocks follow the demand (false: every block has `blockSize`). */
  readonly adaptive?: boolean | AdaptiveOptions | undefined
  /** The last id that may be given (2^63-1). */
  readonly max?: bigint | undefined
  /** Gives no id above its `maxSeq`, for ids that `compose` will make of these. */
  readonly codec?: Pick<ShardCodec, 'maxSeq'> | undefined
  /** The counter must not be below this. A function is asked again once its answer is `floorMaxAgeMs` old. */
  readonly floor?: bigint | FloorWitness | undefined
  /** How long the answer of a `floor` that is a function counts, in ms (60,000); 0 asks before each block. */
  readonly floorMaxAgeMs?: number | undefined
  /** Where the counter must say that it belongs (what `counter.home()` tells). */
  readonly home?: string | undefined
  /** The generation that the counter must have (any, and from then on that one). */
  readonly generation?: string | undefined
  /** The next block is fetched ahead when so much of one is left, from 0 (never ahead) to 1 (0.5). */
  readonly lowWater?: number | undefined
  /** How long a block may take to come, retries included, in ms (10,000). */
  readonly timeoutMs?: number | undefined
  /** How long one call on the counter may take, in ms (5,000). */
  readonly callTimeoutMs?: number | undefined
  readonly retry?: BackoffOptions | undefined
  readonly hooks?: AllocatorHooks | undefined
  readonly clock?: Clock | undefined
  readonly delay?: Delay | undefined
  /** Spreads the waits of rivals; from 0 up to, but not, 1 (`Math.random`). */
  readonly random?: (() => number) | undefined
}

/** The options once they are checked, and without a hole. */
export interface AllocatorSettings {
  readonly counter: Counter
  readonly blockSize: number
  readonly adaptive: AdaptiveOptions | null
  readonly max: bigint
  readonly floor: bigint | FloorWitness | null
  readonly floorMaxAgeMs: number
  readonly home: string | null
  readonly generation: string | null
  readonly lowWater: number
  readonly timeoutMs: number
  readonly callTimeoutMs: number
  readonly retry: BackoffOptions
  readonly hooks: AllocatorHooks
  readonly clock: Clock
  readonly delay: Delay
  readonly random: () => number
}

/** The longest that a timer can wait. */
const MAX_MS = 2 ** 31 - 1

/**
 * Fills in the defaults.
 * @throws InvalidArgumentError naming the value and its range
 */
export function checkOptions(options: BlockAllocatorOptions): AllocatorSettings {
  const { counter, codec, floor = null, home = null, generation = null } = options ?? {}
  if (typeof counter?.load !== 'function' || typeof counter.swap !== 'function')
    throw new InvalidArgumentError('counter must be a Counter')
  let max = checkBigint('max', options.max ?? MAX_ID, 1n, MAX_ID)
  const maxSeq = codec === undefined ? MAX_ID : checkBigint('codec.maxSeq', codec.maxSeq, 1n, 2n ** 64n - 1n)
  if (maxSeq < max) max = maxSeq
  if (typeof floor === 'bigint') checkBigint('floor', floor, 0n, MAX_ID)
  else if (floor !== null && typeof floor !== 'function')
    throw new InvalidArgumentError('floor must be a bigint or a function')
  return {
    counter,
    blockSize: checkInteger('blockSize', options.blockSize ?? 100, 1, 2 ** 31),
    adaptive: checkAdaptive(options.adaptive),
    max,
    floor,
    floorMaxAgeMs: checkInteger('floorMaxAgeMs', options.floorMaxAgeMs ?? 60_000, 0, Number.MAX_SAFE_INTEGER),
    home: home === null ? null : checkText('home', home, 1_000),
    generation: generation === null ? null : checkText('generation', generation, 200),
    lowWater: checkNumber('lowWater', options.lowWater ?? 0.5, 0, 1),
    timeoutMs: checkInteger('timeoutMs', options.timeoutMs ?? 10_000, 1, MAX_MS),
    callTimeoutMs: checkInteger('callTimeoutMs', options.callTimeoutMs ?? 5_000, 1, MAX_MS),
    retry: checkBackoff(options.retry ?? {}),
    hooks: options.hooks ?? {},
    clock: options.clock ?? systemClock,
    delay: options.delay ?? timer,
    random: options.random ?? Math.random,
  }
}

function checkAdaptive(adaptive: boolean | AdaptiveOptions | undefined): AdaptiveOptions | null {
  if (adaptive === undefined || adaptive === false) return null
  if (adaptive === true) return {}
  if (typeof adaptive !== 'object' || adaptive === null)
    throw new InvalidArgumentError('adaptive must be true, false or an object')
  return {
    maxBlockSize: checkInteger('maxBlockSize', adaptive.maxBlockSize ?? 10_000_000, 1, 2 ** 31),
    targetMs: checkInteger('targetMs', adaptive.targetMs ?? 4_000, 1, MAX_MS),
  }
}

function checkBackoff({ baseMs = 20, capMs = 2_000 }: BackoffOptions): BackoffOptions {
  return { baseMs: checkNumber('baseMs', baseMs, 0, MAX_MS), capMs: checkNumber('capMs', capMs, 0, MAX_MS) }
}
