import { checkBigint, checkSignal, checkText, MAX_ID } from '@shard/core'
import type { CounterReading, ScratchCounter } from './counter.ts'
import { randomText } from './random-text.ts'

/** A counter in the memory of one process, for tests. */
export function memoryCounter(): ScratchCounter {
  let reading: CounterReading | null = null
  return {
    name: 'memory',
    async load({ signal } = {}) {
      checkSignal(signal)
      return reading
    },
    async swap(version, value, { signal, generation, home } = {}) {
      checkBigint('value', value, 0n, MAX_ID)
      if (version !== null) checkText('version', version, 200)
      checkSignal(signal)
      if ((reading?.version ?? null) !== version) return 'lost'
      reading = {
        value,
        version: randomText(),
        generation: generation ?? reading?.generation ?? randomText(),
        home: home ?? reading?.home ?? null,
      }
      return 'ok'
    },
    async remove() {
      reading = null
    },
    scratch: memoryCounter,
  }
}
