import { type CounterCorruptError, isShardError } from '@shard/core'
import type { Counter, CounterCall, CounterReading } from './counter.ts'

/** What is in a counter's place. */
export type Inspection =
  | ({ readonly state: 'ok'; readonly here: string | null } & CounterReading)
  | { readonly state: 'missing'; readonly here: string | null }
  | {
      readonly state: 'corrupt'
      readonly here: string | null
      readonly reason: string
      readonly version: string | null
    }

/**
 * Looks at a counter as it is, and changes nothing. `here` is where this process finds it, `home` where it says
 * that it belongs.
 * @throws StoreUnavailableError (retryable), StoreRefusedError, StoreUnsafeError
 */
export async function inspect(counter: Counter, call: CounterCall = {}): Promise<Inspection> {
  const here = (await counter.home?.()) ?? null
  try {
    const reading = await counter.load(call)
    return reading === null ? { state: 'missing', here } : { state: 'ok', here, ...reading }
  } catch (error) {
    if (!isShardError(error, 'COUNTER_CORRUPT')) throw error
    const { message: reason, version } = error as CounterCorruptError
    return { state: 'corrupt', here, reason, version }
  }
}
