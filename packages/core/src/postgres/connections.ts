import { checkInteger } from '../argument.ts'
import { atMost } from '../at-most.ts'
import { AbortedError, BusyError, ClosedError } from '../driver-errors.ts'
import { isShardError } from '../errors.ts'
import type { ConnectionCheck } from '../executor.ts'
import { callersStatement } from '../statement.ts'
import { readArrays } from './arrays.ts'
import type { ClientInside, PostgresClient } from './client.ts'
import { Connection, type ConnectionWatcher } from './connection.ts'
import { translate } from './errors.ts'
import { GRACE_MS, type Lane, runQuery } from './query.ts'

/** How long calls in flight may go on after the end has begun. */
const END_TIMEOUT_MS = 5_000

/** Somebody who waits for a connection. */
interface Waiter {
  give(connection: Connection): void
  refuse(error: unknown): void
}

/**
 * The connections of a client, taken one by one, first come, first served. The driver only opens and closes them:
 * its own pool gives a connection to the next statement while a cancel request for the last one is under way,
 * sends statements on sockets that have failed, and answers those never or as done.
 */
export class Connections implements ConnectionWatcher {
  readonly #client: PostgresClient
  readonly #max: number
  readonly #idleMs: number
  readonly #waitTimeoutMs: number
  readonly #idle: Connection[] = []
  readonly #line = new Set<Waiter>()
  /** Those whose sockets are open. */
  readonly #sockets = new Set<Connection>()
  /** How many are open or being opened. */
  #count = 0
  #opening = 0
  #check: ConnectionCheck | null = null
  #isStormy = false
  #isEnding = false
  #onChange: () => void = () => {}

  /** @throws InvalidArgumentError */
  constructor(client: PostgresClient, waitTimeoutMs: number) {
    this.#client = client
    this.#waitTimeoutMs = checkInteger('waitTimeoutMs', waitTimeoutMs, 1, 2 ** 31 - 1)
    const { options } = client as ClientInside
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
   * @throws BusyError (retryable) after `waitTimeoutMs`; AbortedError
   */
  async take(signal: AbortSignal | undefined): Promise<Connection> {
    const connection = (this.#isStormy ? undefined : this.#idle.pop()) ?? (await this.#wait(signal))
    clearTimeout(connection.idleTimer)
    if (connection.checked !== this.#check) await this.#admit(connection, signal)
    return connection
  }

  /** A statement that was let go is waited for first. */
  give(connection: Connection): void {
    if (connection.isLost) return
    if (connection.occupied) connection.occupied.then(() => this.give(connection))
    else if (connection.isExpired) connection.end(new Error('the connection has lived its time'))
    else if (this.#line.size > 0 && !this.#isStormy) this.#serve(connection)
    else if (this.#isEnding) connection.end(new ClosedError('the database'))
    else this.#rest(connection)
  }

  /** Ends all connections: idle ones now, others when they are given back, or after a while. */
  async end(): Promise<void> {
    this.#isEnding = true
    for (const connection of this.#idle.splice(0)) connection.end(new ClosedError('the database'))
    await this.#until(() => this.#line.size === 0 && this.#count === this.#opening, END_TIMEOUT_MS)
    for (const waiter of [...this.#line]) waiter.refuse(new ClosedError('the database'))
    await this.#until(() => this.#sockets.size === 0, GRACE_MS)
    await this.#client.end({ timeout: 0 })
    this.#connectNoMore()
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
      while (this.#line.size > 0 && this.#idle.length > 0) this.#serve(this.#idle.pop() as Connection)
      this.#open()
    })
  }

  async #until(condition: () => boolean, ms: number): Promise<void> {
    const reached = new Promise<void>((resolve) => {
      this.#onChange = () => condition() && resolve()
      this.#onChange()
    })
    await atMost(ms, reached)
  }

  /** An attempt that the driver has put off would be made after the end, and keep the process alive. */
  #connectNoMore(): void {
    const { options } = this.#client as ClientInside
    if (options) {
      options.socket = () => {
        throw new ClosedError('the database')
      }
    }
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
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#line.delete(waiter)
        this.#onChange()
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      const refuse = (error: unknown): void => {
        leave()
        reject(error)
      }
      const give = (connection: Connection): void => {
        leave()
        resolve(connection)
      }
      const waiter: Waiter = { give, refuse }
      const abort = (): void => refuse(new AbortedError(signal?.reason))
      const late = (): void => {
        refuse(new BusyError(new Error(`no connection was to be had within ${this.#waitTimeoutMs} ms`)))
      }
      const timer = setTimeout(late, this.#waitTimeoutMs)
      signal?.addEventListener('abort', abort, { once: true })
      this.#line.add(waiter)
      this.#open()
    })
  }

  /** Opens as many connections as there are waiters for, at most. */
  #open(): void {
    if (this.#isStormy) return
    while (this.#opening < this.#line.size && this.#count < this.#max) {
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
    if (isShardError(translated, 'BUSY') && this.#count > this.#opening) return
    const [first] = this.#line
    first?.refuse(translated)
    this.#open()
  }

  #serve(connection: Connection): void {
    const [first] = this.#line
    first?.give(connection)
  }

  #rest(connection: Connection): void {
    this.#idle.push(connection)
    if (this.#idleMs === 0) return
    connection.idleTimer = setTimeout(
      () => connection.end(new Error('the connection was idle')),
      this.#idleMs,
    )
  }
}
