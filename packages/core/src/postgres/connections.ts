import { checkInteger } from '../argument.ts'
import { atMost } from '../at-most.ts'
import { ClosedError } from '../driver-errors.ts'
import { isShardError } from '../errors.ts'
import type { ConnectionCheck } from '../executor.ts'
import { callersStatement } from '../statement.ts'
import { readArrays } from './arrays.ts'
import type { ClientInside, PostgresClient } from './client.ts'
import { Connection, type ConnectionWatcher } from './connection.ts'
import { translate } from './errors.ts'
import { GRACE_MS, type Lane, runQuery } from './query.ts'
import { WaitingLine } from './waiting-line.ts'

/** How long a server that has no more connections to give is not asked again. */
const FULL_MS = 1_000

/** How long calls in flight may go on after the end has begun. */
const END_TIMEOUT_MS = 5_000

/**
 * The connections of a client, given out first come, first served, to one user at a time. The driver only opens
 * and closes them. Its own pool sends statements on a connection that is still at work, or whose socket has
 * failed: a cancel request then hits another caller's statement, a schema change mixes up their answers, and what
 * was sent into the void is answered never, or as done.
 */
export class Connections implements ConnectionWatcher {
  readonly #client: PostgresClient
  readonly #max: number
  readonly #idleMs: number
  readonly #line: WaitingLine
  readonly #idle: Connection[] = []
  /** Those whose sockets are open. */
  readonly #sockets = new Set<Connection>()
  /** How many are open or being opened. */
  #count = 0
  #opening = 0
  #fullUntilMs = 0
  #check: ConnectionCheck | null = null
  #isStormy = false
  #isEnding = false
  #onChange: () => void = () => {}

  /** @throws InvalidArgumentError */
  constructor(client: PostgresClient, waitTimeoutMs: number) {
    checkInteger('waitTimeoutMs', waitTimeoutMs, 1, 2 ** 31 - 1)
    const { options } = client as ClientInside
    this.#client = client
    this.#line = new WaitingLine(waitTimeoutMs, () => this.#onChange())
    this.#max = options?.max ?? 10
    this.#idleMs = (options?.idle_timeout ?? 0) * 1_000
    // Asked on a connection that breaks, the driver's own question about array types ends the process.
    if (options) options.fetch_types = false
    readArrays(options?.parsers ?? {})
  }

  /** Has each connection checked before it is next given out, once. */
  checkEach(check: ConnectionCheck): void {
    this.#check = check
  }

  /**
   * Waits for a connection; the caller gives it back.
   * @throws BusyError (retryable) if there is none in time; AbortedError
   */
  async take(signal: AbortSignal | undefined): Promise<Connection> {
    const connection = (this.#isStormy ? undefined : this.#idle.pop()) ?? (await this.#wait(signal))
    if (connection.idleTimer) clearTimeout(connection.idleTimer)
    if (connection.checked !== this.#check) await this.#admit(connection, signal)
    return connection
  }

  /** A statement that was let go is waited for first. */
  give(connection: Connection): void {
    if (connection.isLost) return
    if (connection.occupied) connection.occupied.then(() => this.give(connection))
    else if (this.#isStormy) this.#idle.push(connection)
    else if (connection.isExpired) this.#retire(connection)
    else if (this.#line.first) this.#line.first.give(connection)
    else if (this.#isEnding) connection.end(new ClosedError('the database'))
    else this.#rest(connection)
  }

  /** Ends all connections: idle ones now, others when they are given back, or after a while. */
  async end(): Promise<void> {
    this.#isEnding = true
    for (const connection of this.#idle.splice(0)) connection.end(new ClosedError('the database'))
    await this.#until(() => this.#line.length === 0 && this.#count === this.#opening, END_TIMEOUT_MS)
    this.#line.refuse(new ClosedError('the database'))
    this.#connectNoMore()
    // Cut while it is being opened, a connection would keep the process alive until the driver's time-out.
    await this.#until(() => this.#count === 0 && this.#sockets.size === 0, GRACE_MS)
    await this.#client.end({ timeout: 0 })
  }

  opened(connection: Connection): void {
    this.#sockets.add(connection)
  }

  closed(connection: Connection): void {
    this.#sockets.delete(connection)
    this.#onChange()
  }

  /**
   * When one connection is lost others may be, whose sockets close later in this turn of the event loop: until
   * the next turn none is given out.
   */
  lost(connection: Connection): void {
    this.#count--
    const at = this.#idle.indexOf(connection)
    if (at >= 0) this.#idle.splice(at, 1)
    this.#onChange()
    if (this.#isStormy) return
    this.#isStormy = true
    setTimeout(() => {
      this.#isStormy = false
      for (const idle of this.#idle.splice(0)) this.give(idle)
      this.#open()
    })
  }

  async #admit(connection: Connection, signal: AbortSignal | undefined): Promise<void> {
    const check = this.#check
    const lane: Lane = { connection, prepare: false, lost: 'not-applied' }
    try {
      await check?.({
        dialect: 'postgres',
        execute: (source) => runQuery(lane, callersStatement(source, 'postgres'), signal),
      })
      connection.checked = check
    } catch (error) {
      connection.end(error)
      throw error
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<Connection> {
    const given = this.#line.join(signal)
    this.#open()
    return given
  }

  #mayOpen(): boolean {
    if (this.#count >= this.#max) return false
    return this.#count === this.#opening || performance.now() >= this.#fullUntilMs
  }

  /** Opens as many connections as there are waiters for, at most. */
  #open(): void {
    if (this.#isStormy) return
    while (this.#opening < this.#line.length && this.#mayOpen()) {
      this.#count++
      this.#opening++
      Connection.open(this.#client, this)
        .finally(() => this.#opening--)
        .then(
          (connection) => this.give(connection),
          (error) => this.#failed(error),
        )
    }
  }

  /** The first in line is told, unless the server has no more to give than what we have. */
  #failed(error: unknown): void {
    const translated = translate(error, 'not-applied')
    if (isShardError(translated, 'BUSY') && this.#count > this.#opening) {
      this.#fullUntilMs = performance.now() + FULL_MS
      return
    }
    this.#line.first?.refuse(translated)
    this.#open()
  }

  #retire(connection: Connection): void {
    connection.end(new Error('the connection has lived its time'))
    this.#open()
  }

  #rest(connection: Connection): void {
    this.#idle.push(connection)
    if (this.#idleMs === 0) return
    connection.idleTimer = setTimeout(
      () => connection.end(new Error('the connection was idle')),
      this.#idleMs,
    )
  }

  async #until(condition: () => boolean, ms: number): Promise<void> {
    const reached = new Promise<void>((resolve) => {
      this.#onChange = () => condition() && resolve()
      this.#onChange()
    })
    await atMost(ms, reached)
  }

  /** An attempt that fails is made again and again, after the end too, and would keep the process alive. */
  #connectNoMore(): void {
    const { options } = this.#client as ClientInside
    if (options) {
      options.socket = () => {
        throw new ClosedError('the database')
      }
    }
  }
}
