import {
  CounterCorruptError,
  checkBigint,
  checkText,
  type Delay,
  isShardError,
  MAX_ID,
  StoreUnavailableError,
  delay as timer,
} from '@shard/core'
import { backoffMs } from './backoff.ts'
import type { Counter, CounterCall } from './counter.ts'
import { type Inspection, inspect } from './inspect.ts'
import { randomText } from './random-text.ts'

/** What a counter is to be after its repair. */
export interface RepairOptions extends CounterCall {
  /** An id that is at or above every id that was ever given; the counter is never lowered. */
  readonly atLeast: bigint
  /** The generation (the one it has; a random one where it has none). */
  readonly generation?: string | undefined
  /** Where it belongs from now on (where it says; where it is found, if it says nothing). */
  readonly home?: string | undefined
  readonly delay?: Delay | undefined
}

/** How often a repair is tried, while others write too or the store is busy. */
const ATTEMPTS = 10

/**
 * For an operator, after a restore, a fail-over or a loss: raises the counter to `atLeast`, makes it where it is
 * missing and replaces what cannot be read. `atLeast` must come from what the ids were used for, such as the
 * highest sequence on the shards, with a margin for ids that processes still hold. It is a compare-and-swap like
 * any other: allocators may go on meanwhile.
 * @returns the counter before and after
 * @throws InvalidArgumentError, CounterCorruptError if what is there has no version to compare with
 * @throws StoreUnavailableError (retryable) if others were always first; StoreRefusedError, StoreUnsafeError
 */
export async function repair(
  counter: Counter,
  options: RepairOptions,
): Promise<{ readonly before: Inspection; readonly after: Inspection }> {
  const { signal, delay = timer } = options
  const atLeast = checkBigint('atLeast', options.atLeast, 0n, MAX_ID)
  if (options.generation !== undefined) checkText('generation', options.generation, 200)
  if (options.home !== undefined) checkText('home', options.home, 1_000)
  for (let attempt = 1; ; attempt++) {
    try {
      const before = await inspect(counter, { signal })
      if ((await raise(counter, before, atLeast, options)) === 'ok')
        return { before, after: await inspect(counter, { signal }) }
      if (attempt === ATTEMPTS)
        throw new StoreUnavailableError('others wrote the counter at every attempt', 'unknown', null)
    } catch (error) {
      if (!isShardError(error) || !error.retryable || attempt === ATTEMPTS) throw error
    }
    await delay(backoffMs(attempt, Math.random), signal)
  }
}

function raise(
  counter: Counter,
  before: Inspection,
  atLeast: bigint,
  { signal, ...given }: RepairOptions,
): ReturnType<Counter['swap']> {
  const { generation, home } = given
  if (before.state === 'ok') {
    const value = before.value > atLeast ? before.value : atLeast
    // One of the older format stays in it unless more is asked for.
    const isBare = (before.generation ?? null) === null && generation === undefined && home === undefined
    const marks = isBare ? {} : marksOf(before, generation, home)
    return counter.swap(before.version, value, { signal, ...marks })
  }
  if (before.state === 'corrupt' && before.version === null)
    throw new CounterCorruptError(before.reason, null)
  const version = before.state === 'corrupt' ? before.version : null
  return counter.swap(version, atLeast, { signal, ...marksOf(before, generation, home) })
}

function marksOf(
  before: Inspection,
  generation: string | undefined,
  home: string | undefined,
): { generation: string; home?: string } {
  const found = before.state === 'ok' ? before : null
  const newHome = home ?? found?.home ?? before.here
  return {
    generation: generation ?? found?.generation ?? randomText(),
    ...(newHome === null ? {} : { home: newHome }),
  }
}
