import type { Clock } from '../src/clock.ts'

/** A clock that stands where a test puts it. */
export class ManualClock implements Clock {
  nowMs: number
  elapsedMs = 0

  constructor(nowMs: number) {
    this.nowMs = nowMs
  }

  now(): number {
    return this.nowMs
  }

  monotonicMs(): number {
    return this.elapsedMs
  }
}
