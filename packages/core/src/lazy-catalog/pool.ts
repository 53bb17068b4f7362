import { checkInteger, checkSignal } from '../argument.ts'
import { atMost } from '../at-most.ts'
import type { Clock } from '../clock.ts'
import { BusyError, ClosedError } from '../driver-errors.ts'
import { InvalidArgumentError } from '../errors.ts'
import type { Executor } from '../executor.ts'
import type { ShardId } from '../id.ts'
import { type Waiter, WaitLine } from './wait-line.ts'

/** A shard's database as it was opened. */
export interface OpenedShard {
  readonly executor: Executor
  /** How many connections it may use at most, such as the size of its pool. */
  readonly connections: number
}

/** What the pool works with. */
export interface PoolOptions {
  open(shard: ShardId): Promise<OpenedShard>
  /** How many connections a shard may use at most, if that is known before it is open. */
  readonly connectionsOf: ((shard: ShardId) => number) | null
  readonly maxConnections: number
  readonly idleMs: number
  readonly waitTimeoutMs: number
  readonly clock: Clock
}

/** A shard that is open; it is closed only when nothing pins it. */
interface Entry extends OpenedShard {
  readonly shard: ShardId
  pins: number
  /** Set when somebody waits for its connections: new work queues behind them. */
  draining: boolean
  idleSinceMs: number
}

/** A claim on an open shard. */
export interface Pin {
  readonly executor: Executor
  release(): void
}

/**
 * Opens shards when they are needed, within one budget of connections over all of them. Whoever waits is
 * served in turn: to make room, the shard used longest ago is closed once nothing runs on it.
 */
export class ShardPool {
  readonly #options: PoolOptions
  /** Least recently used first. */
  readonly #open = new Map<ShardId, Entry>()
  readonly #opening = new Map<ShardId, Waiter<Entry>[]>()
  readonly #closing = new Map<ShardId, { entry: Entry; done: Promise<void> }>()
  readonly #line = new WaitLine<Entry>(() => this.#serve())
  readonly #closings = new Set<Promise<void>>()
  readonly #openings = new Set<Promise<void>>()
  /** What a shard needs: as it is said, or as it was seen when it was open. */
  readonly #needs = new Map<ShardId, number>()
  #used = 0
  /** What any other shard is taken to need: the most that one has needed so far; the first, all. */
  #expected: number
  #measured = false
  #idleTimer: ReturnType<typeof setTimeout> | null = null
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#expected = options.maxConnections
  }

  /** A claim without waiting, or null if there is something to wait for. */
  tryPin(shard: ShardId): Pin | null {
    if (this.#closed) throw new ClosedError('the catalog')
    const entry = this.#open.get(shard)
    if (!entry || entry.draining) return null
    entry.pins++
    return this.#pinOf(entry)
  }

  /** True if one more call on the shard would wait for a connection that somebody else holds. */
  wouldWait(shard: ShardId): boolean {
    const entry = this.#open.get(shard)
    if (entry) return entry.draining || (entry.connections > 0 && entry.pins >= entry.connections)
    if (this.#line.length > 0) return true
    const idle = [...this.#open.values()].filter(({ pins, executor }) => pins === 0 && !executor.ephemeral)
    const free = idle.reduce(
      (sum, { connections }) => sum + connections,
      this.#options.maxConnections - this.#used,
    )
    return free < this.#need(shard)
  }

  /**
   * A claim on an open shard, in turn.
   * @throws BusyError after `waitTimeoutMs`
   */
  async pin(shard: ShardId, signal: AbortSignal | undefined): Promise<Pin> {
    checkSignal(signal)
    this.#need(shard)
    const { waitTimeoutMs } = this.#options
    const late = (): Error =>
      new BusyError(new Error(`shard ${shard} got no connection within ${waitTimeoutMs} ms`))
    const waiting = this.#line.join(shard, waitTimeoutMs, late, signal)
    this.#serve()
    return this.#pinOf(await waiting)
  }

  /**
   * Refuses who waits, and closes every shard after what runs on it has ended; then throws a failure. What is
   * being opened is waited for no longer than a caller would be; should it come later, it is closed then.
   */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#idleTimer) clearTimeout(this.#idleTimer)
    this.#line.refuse(new ClosedError('the catalog'))
    for (const waiter of [...this.#opening.values()].flat()) waiter.give(new ClosedError('the catalog'))
    const ends = await Promise.allSettled([...this.#open.values()].map((entry) => this.#close(entry)))
    await Promise.allSettled(this.#closings)
    await atMost(this.#options.waitTimeoutMs, Promise.allSettled(this.#openings))
    const failed = ends.find((end) => end.status === 'rejected')
    if (failed) throw failed.reason
  }

  /** Serves the line as far as the budget goes. */
  #serve(): void {
    for (let waiter = this.#line.first; waiter; waiter = this.#line.first) {
      const entry = this.#open.get(waiter.shard)
      const opening = this.#opening.get(waiter.shard)
      if (entry) this.#grant(entry, waiter)
      else if (opening) opening.push(waiter)
      else if (this.#closing.has(waiter.shard) || !this.#makeRoom(waiter.shard)) return
      else this.#begin(waiter)
      this.#line.shift()
    }
    for (const entry of this.#open.values()) entry.draining = false
  }

  /** The pin is counted at once, so that the shard is not closed before its waiter goes on. */
  #grant(entry: Entry, waiter: Waiter<Entry>): void {
    entry.draining = false
    if (waiter.isGone) return
    entry.pins++
    waiter.give(entry)
  }

  /** True if there is room for one more shard; else connections are on their way back. */
  #makeRoom(shard: ShardId): boolean {
    let missing = this.#used + this.#need(shard) - this.#options.maxConnections
    if (missing <= 0) return true
    for (const { entry } of this.#closing.values()) missing -= entry.connections
    for (const entry of this.#open.values()) {
      if (missing <= 0) break
      if (entry.executor.ephemeral) continue
      missing -= entry.connections
      entry.draining = true
      if (entry.pins === 0) this.#closeLater(entry)
    }
    return false
  }

  #begin(waiter: Waiter<Entry>): void {
    const reserved = this.#need(waiter.shard)
    this.#used += reserved
    this.#opening.set(waiter.shard, [waiter])
    settle(this.#openings, this.#openShard(waiter.shard, reserved))
  }

  async #openShard(shard: ShardId, reserved: number): Promise<void> {
    let result: Entry | Error
    try {
      const opened = await this.#options.open(shard)
      result = await this.#checked({ ...opened, shard, pins: 0, draining: false, idleSinceMs: 0 })
    } catch (error) {
      result = error instanceof Error ? error : new Error(String(error))
    }
    const waiters = this.#opening.get(shard) ?? []
    this.#opening.delete(shard)
    this.#used -= reserved
    if (result instanceof Error) for (const waiter of waiters) waiter.give(result)
    else await this.#admit(result, waiters)
    this.#serve()
  }

  /** @throws InvalidArgumentError if what is said of the shard is no number of connections */
  #need(shard: ShardId): number {
    const { connectionsOf, maxConnections } = this.#options
    const known = this.#needs.get(shard)
    if (known !== undefined || connectionsOf === null) return known ?? this.#expected
    const need = checkInteger('connectionsOf', connectionsOf(shard), 0, maxConnections)
    this.#needs.set(shard, need)
    return need
  }

  /** A shard that needs more connections than it was let in with goes back to the line, holding none. */
  async #admit(entry: Entry, waiters: readonly Waiter<Entry>[]): Promise<void> {
    if (this.#options.connectionsOf === null) this.#needs.set(entry.shard, entry.connections)
    this.#expected = this.#measured ? Math.max(this.#expected, entry.connections) : entry.connections
    this.#measured = true
    if (this.#closed || this.#used + entry.connections > this.#options.maxConnections) {
      await entry.executor.close().catch(() => {})
      if (this.#closed) for (const waiter of waiters) waiter.give(new ClosedError('the catalog'))
      else this.#line.unshift(waiters)
      return
    }
    this.#used += entry.connections
    this.#open.set(entry.shard, entry)
    for (const waiter of waiters) this.#grant(entry, waiter)
    if (entry.pins > 0) return
    entry.idleSinceMs = this.#options.clock.monotonicMs()
    this.#watchIdle()
  }

  async #checked(entry: Entry): Promise<Entry> {
    const { maxConnections, connectionsOf } = this.#options
    const { connections, executor, shard } = entry
    const most = connectionsOf === null ? maxConnections : this.#need(shard)
    if (Number.isInteger(connections) && connections >= 0 && connections <= most) return entry
    await executor.close().catch(() => {})
    throw new InvalidArgumentError(`shard ${shard} takes ${connections} connections, of ${most} that it may`)
  }

  #pinOf(entry: Entry): Pin {
    if (this.#open.delete(entry.shard)) this.#open.set(entry.shard, entry)
    return { executor: entry.executor, release: () => this.#unpin(entry) }
  }

  #unpin(entry: Entry): void {
    entry.pins--
    if (entry.pins > 0) return
    entry.idleSinceMs = this.#options.clock.monotonicMs()
    if (entry.draining) this.#closeLater(entry)
    else this.#watchIdle()
  }

  async #close(entry: Entry): Promise<void> {
    if (this.#open.get(entry.shard) !== entry) return
    this.#open.delete(entry.shard)
    const done = entry.executor.close()
    this.#closing.set(entry.shard, { entry, done })
    try {
      await done
    } finally {
      this.#closing.delete(entry.shard)
      this.#used -= entry.connections
      this.#serve()
    }
  }

  #closeLater(entry: Entry): void {
    settle(this.#closings, this.#close(entry))
  }

  #watchIdle(): void {
    if (this.#idleTimer || this.#closed) return
    this.#idleTimer = setTimeout(() => {
      this.#idleTimer = null
      this.#closeIdle()
    }, this.#options.idleMs)
    ;(this.#idleTimer as { unref?(): void }).unref?.()
  }

  #closeIdle(): void {
    const before = this.#options.clock.monotonicMs() - this.#options.idleMs
    for (const entry of [...this.#open.values()]) {
      if (entry.pins > 0 || entry.executor.ephemeral) continue
      if (entry.idleSinceMs <= before) this.#closeLater(entry)
      else this.#watchIdle()
    }
  }
}

/** A failure to close or open is told to whoever asked for it; here it only must not end the process. */
function settle(tasks: Set<Promise<void>>, task: Promise<void>): void {
  const settled = task.catch(() => {}).finally(() => tasks.delete(settled))
  tasks.add(settled)
}
