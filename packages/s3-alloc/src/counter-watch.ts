import { CounterMissingError, CounterWentBackError, checkBigint, MAX_ID } from '@shard/core'
import type { AllocatorSettings } from './allocator-options.ts'
import type { CounterCall, CounterReading } from './counter.ts'

/** Finds out whether a counter is still the one that it was, by all that this process knows of it. */
export class CounterWatch {
  readonly #expected: AllocatorSettings
  #highest = 0n
  #generation: string | null
  /** Null until it is known. */
  #floor: bigint | null = null
  #askedAtMs = 0

  constructor(expected: AllocatorSettings) {
    this.#expected = expected
    this.#generation = expected.generation
  }

  /**
   * Reads the counter, and gives it only if it is the one that it should be.
   * @throws CounterMissingError, CounterWentBackError, and what the counter and the witness of the floor throw
   */
  async load(call: CounterCall): Promise<CounterReading> {
    const reading = await this.#loadOnce(call)
    const floor = await this.#askFloor(call)
    if (reading.value >= floor) return reading
    // Since it was read others may have taken ids, and used them before the witness looked.
    const later = await this.#loadOnce(call)
    if (later.value < floor) throw wentBack('floor', `${floor} or more`, `${later.value}`)
    return later
  }

  /** Remembers what this process has written itself. */
  saw(value: bigint): void {
    if (value > this.#highest) this.#highest = value
  }

  /** Asks for the floor once more before the next block. */
  askAgain(): void {
    this.#floor = null
  }

  async #loadOnce(call: CounterCall): Promise<CounterReading> {
    const { counter, home: expectedHome } = this.#expected
    const reading = await counter.load(call)
    if (reading === null) throw new CounterMissingError(counter.name ?? 'its place')
    const { value, generation = null, home = null } = reading
    checkBigint('the value of a counter', value, 0n, MAX_ID)
    const here = expectedHome ?? (await counter.home?.()) ?? null
    if (home !== null && here !== null && home !== here) throw wentBack('home', here, home)
    if (this.#generation !== null && generation !== this.#generation)
      throw wentBack('generation', this.#generation, generation ?? 'none')
    if (value < this.#highest) throw wentBack('value', `${this.#highest} or more`, `${value}`)
    this.#generation = generation
    this.#highest = value
    return reading
  }

  async #askFloor(call: CounterCall): Promise<bigint> {
    const { floor, floorMaxAgeMs, clock } = this.#expected
    if (typeof floor !== 'function') return floor ?? 0n
    const nowMs = clock.monotonicMs()
    if (this.#floor !== null && nowMs - this.#askedAtMs < floorMaxAgeMs) return this.#floor
    this.#floor = checkBigint('the floor of a counter', await floor(call), 0n, MAX_ID)
    this.#askedAtMs = nowMs
    return this.#floor
  }
}

function wentBack(sign: CounterWentBackError['sign'], expected: string, found: string): CounterWentBackError {
  return new CounterWentBackError(sign, expected, found)
}
