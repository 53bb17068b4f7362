import { type Delay, InvalidArgumentError, StoreUnsafeError, delay as timer } from '@shard/core'
import type { Counter, CounterCall, CounterReading, ScratchCounter } from './counter.ts'
import { within } from './deadline.ts'

/** How a store is probed; every field has a default. */
export interface ProbeOptions extends CounterCall {
  /** How long the probe may take, in ms (30,000). */
  readonly timeoutMs?: number | undefined
  /** How many writers race (8). */
  readonly racers?: number | undefined
  readonly delay?: Delay | undefined
}

/** How long the removal of the scratch may take. */
const REMOVAL_MS = 5_000

/** What a probe found, of a store that is safe. */
export interface ProbeReport {
  /** Writers that were the first in the race: 1, or 0 if the store could not tell any of them. */
  readonly winners: number
  /** Does a swap of an object that has been deleted make it anew? The counter then goes on from its value. */
  readonly createsMissing: boolean
}

/**
 * Proves, on a counter of its own beside this one, that the store keeps what a counter needs: it makes an object
 * only where there is none, replaces one only under its present version, lets one of many writers win, and gives
 * back what was written. Finds out on the way how the store wants an ETag spelt, for this `counter` too. The
 * scratch is removed, whatever happens. Run it before the store is first used and after it was upgraded.
 * @throws StoreUnsafeError naming what the store does not keep
 * @throws StoreUnavailableError, TimeoutError (retryable), StoreRefusedError, such as without the right to delete
 * @throws InvalidArgumentError for a counter without a scratch
 */
export async function probe(counter: Counter, options: ProbeOptions = {}): Promise<ProbeReport> {
  const { signal, timeoutMs = 30_000, racers = 8, delay = timer } = options
  if (typeof counter?.scratch !== 'function') throw new InvalidArgumentError('this counter cannot be probed')
  const scratch = counter.scratch()
  const cause = (): unknown => new Error('the probe took too long')
  const outcome = 'unknown' as const
  try {
    return await within({ ms: timeoutMs, delay, signal, outcome, cause }, async (inner) => {
      const call = { signal: inner }
      const first = await created(scratch, call)
      const second = await replaced(scratch, first, call)
      const winners = await raced(scratch, second, racers, call)
      return { winners, createsMissing: await recreated(scratch, call) }
    })
  } finally {
    await within({ ms: REMOVAL_MS, delay, outcome, cause }, (inner) =>
      scratch.remove({ signal: inner }),
    ).catch(() => {})
  }
}

async function created(scratch: Counter, call: CounterCall): Promise<CounterReading> {
  if ((await scratch.load(call)) !== null) throw new StoreUnsafeError('a key that nobody wrote is not empty')
  if ((await scratch.swap(null, 1n, call)) !== 'ok')
    throw new StoreUnsafeError('If-None-Match: * keeps an object from being made where there is none')
  if ((await scratch.swap(null, 2n, call)) === 'ok')
    throw new StoreUnsafeError('If-None-Match: * lets an object be replaced')
  return reading(scratch, 1n, call)
}

async function replaced(scratch: Counter, first: CounterReading, call: CounterCall): Promise<CounterReading> {
  // The first refusal teaches how an ETag is to be spelt.
  const isReplaced =
    (await scratch.swap(first.version, 2n, call)) === 'ok' ||
    (await scratch.swap(first.version, 2n, call)) === 'ok'
  if (!isReplaced) throw new StoreUnsafeError('If-Match with the ETag that the object has is refused')
  const second = await reading(scratch, 2n, call)
  if (second.version === first.version) throw new StoreUnsafeError('two objects have one ETag')
  if ((await scratch.swap(first.version, 3n, call)) === 'ok')
    throw new StoreUnsafeError('If-Match with an old ETag lets an object be replaced')
  return reading(scratch, 2n, call)
}

async function raced(
  scratch: Counter,
  { version }: CounterReading,
  racers: number,
  call: CounterCall,
): Promise<number> {
  const values = Array.from({ length: racers }, (_, i) => BigInt(3 + i))
  const results = await Promise.allSettled(values.map((value) => scratch.swap(version, value, call)))
  const winners = values.filter((_, i) => {
    const result = results[i]
    return result?.status === 'fulfilled' && result.value === 'ok'
  })
  if (winners.length > 1)
    throw new StoreUnsafeError(`${winners.length} of ${racers} writers at once replaced one object`)
  if (winners[0] !== undefined) await reading(scratch, winners[0], call)
  return winners.length
}

async function recreated(scratch: ScratchCounter, call: CounterCall): Promise<boolean> {
  const last = await scratch.load(call)
  await scratch.remove(call)
  if ((await scratch.load(call)) !== null)
    throw new StoreUnsafeError('an object is there after it was deleted')
  return last !== null && (await scratch.swap(last.version, 100n, call)) === 'ok'
}

async function reading(scratch: Counter, value: bigint, call: CounterCall): Promise<CounterReading> {
  const found = await scratch.load(call)
  if (found?.value !== value)
    throw new StoreUnsafeError(`the object holds ${found?.value ?? 'nothing'} after ${value} was written`)
  return found
}
