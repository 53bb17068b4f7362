import { CounterExistsError, isShardError, StoreUnavailableError } from '@shard/core'
import type { AllocatorSettings } from './allocator-options.ts'
import { backoffMs } from './backoff.ts'
import type { CounterCall, CounterReading } from './counter.ts'
import { within } from './deadline.ts'

/** Makes a counter where there is none; `value` is the highest id that counts as taken. */
export function makeCounter(
  settings: AllocatorSettings,
  value: bigint,
  { signal }: CounterCall,
): Promise<CounterReading> {
  const { counter, delay, timeoutMs, home } = settings
  const name = counter.name ?? 'its place'
  let last: unknown = null
  const deadline = { ms: timeoutMs, delay, signal, outcome: 'unknown' as const, cause: () => last }
  return within(deadline, async (inner) => {
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await counter.swap(null, value, { signal: inner, home: home ?? undefined })
        if (result === 'lost') throw new CounterExistsError(name)
        if (result === 'unknown')
          throw new StoreUnavailableError(`it is not known whether ${name} was made`, 'unknown', null)
        return (await counter.load({ signal: inner })) ?? { value, version: '' }
      } catch (error) {
        // One that may have been made must not be found as a stranger's by another attempt.
        if (!isShardError(error) || !error.retryable || error.outcome !== 'not-applied') throw error
        last = error
      }
      const asked = last instanceof StoreUnavailableError ? (last.retryInMs ?? 0) : 0
      await delay(Math.max(backoffMs(attempt, settings.random, settings.retry), asked), inner)
    }
  })
}
