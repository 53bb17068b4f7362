import { ConnectionLostError } from '../driver-errors.ts'
import type { ClientInside, ConnectionInside, PostgresClient, PostgresQuery, QueryInside } from './client.ts'

/** Hears of a connection: each once, in this order; `opened` and `closed` are about its socket. */
export interface ConnectionWatcher {
  opened(connection: Connection): void
  lost(connection: Connection): void
  closed(connection: Connection): void
}

/**
 * A connection that has been taken out of the driver's pool for good. It runs one statement at a time, on one
 * socket, and never on the one that the driver opens in its stead when that socket closes.
 */
export class Connection {
  /** The check that it has passed. */
  checked: unknown = null
  /** Ends the connection if it is not used in time. */
  idleTimer: ReturnType<typeof setTimeout> | undefined
  /** Resolves when a statement that was let go has ended on the server; null if there is none. */
  #unanswered: Promise<unknown> | null = null
  #lost: unknown = null
  readonly #waiting = new Set<(error: unknown) => void>()
  #inside: ConnectionInside | null = null
  readonly #client: PostgresClient
  readonly #watcher: ConnectionWatcher
  readonly #expiresAtMs: number

  private constructor(client: PostgresClient, watcher: ConnectionWatcher) {
    this.#client = client
    this.#watcher = watcher
    const lifetime = (client as ClientInside).options?.max_lifetime
    const seconds = typeof lifetime === 'function' ? lifetime() : lifetime
    this.#expiresAtMs = performance.now() + (seconds || Number.POSITIVE_INFINITY) * 1_000
  }

  /** Opens a connection. Rejects with what the driver says; it is lost then. */
  static async open(client: PostgresClient, watcher: ConnectionWatcher): Promise<Connection> {
    const connection = new Connection(client, watcher)
    // The driver hands out a connection only with a query on it, and gives it to nobody else after a `false`.
    const onexecute = (inside: ConnectionInside): false => connection.#keep(inside)
    try {
      await connection.untilLost(client.unsafe('', [], { onexecute }))
      return connection
    } catch (error) {
      connection.lose(error)
      throw error
    }
  }

  /** True after the time that the driver's `max_lifetime` gives a connection. */
  get isExpired(): boolean {
    return performance.now() > this.#expiresAtMs
  }

  get isLost(): boolean {
    return this.#lost !== null
  }

  /** @throws ConnectionLostError whose statement was not applied: it has not been sent */
  checkAlive(): void {
    if (this.#lost !== null) throw new ConnectionLostError(this.#lost, 'not-applied')
  }

  /** A query that will run here when it is awaited. */
  query(sql: string, parameters: readonly unknown[] = [], options: object = {}): PostgresQuery {
    const query = this.#client.unsafe(sql, [...parameters], options)
    ;(query as unknown as QueryInside).handler = (inside) => {
      if (this.#lost === null) this.#inside?.execute(inside)
      else inside.reject(this.#lost)
    }
    return query
  }

  /**
   * `work`, or a rejection as soon as the connection is lost: the driver forgets a statement that it was given
   * after its socket had failed.
   */
  untilLost<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject)
      work.then(
        (value) => {
          this.#waiting.delete(reject)
          resolve(value)
        },
        (error) => {
          this.#waiting.delete(reject)
          reject(error)
        },
      )
    })
  }

  /** Lets nobody use the connection until `work` has ended. */
  occupy(work: Promise<unknown>): void {
    const before = this.#unanswered
    const all = Promise.allSettled([before, this.untilLost(work)]).then(() => {
      if (this.#unanswered === all) this.#unanswered = null
    })
    this.#unanswered = all
  }

  /** Null if the connection can be used now, else what to wait for. */
  get occupied(): Promise<unknown> | null {
    return this.#unanswered
  }

  /** Ends the idle connection. */
  end(reason: unknown): void {
    this.lose(reason)
    this.#inside?.terminate()
  }

  /**
   * The connection is broken: whatever waits for it is told, and it is never used again. It closes by itself; the
   * driver's way to end it would keep it from sending what it holds, and so spoil the connection after it.
   */
  lose(error: unknown): void {
    if (this.#lost !== null) return
    this.#lost = error ?? new Error('the connection has closed')
    clearTimeout(this.idleTimer)
    for (const reject of this.#waiting) reject(this.#lost)
    this.#watcher.lost(this)
  }

  #keep(inside: ConnectionInside): false {
    inside.reserved = Object.assign(() => {}, { release: true })
    inside.onclose = (error) => {
      this.lose(error)
      this.#watcher.closed(this)
    }
    this.#inside = inside
    this.#watcher.opened(this)
    return false
  }
}
