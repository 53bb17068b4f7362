import { atOnce } from './at-once.ts'
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
  #occupied: Promise<unknown> | null = null
  #lost: unknown = null
  #running: QueryInside | null = null
  #inside: ConnectionInside | null = null
  readonly #client: PostgresClient
  readonly #watcher: ConnectionWatcher
  readonly #expiresAtMs: number
  readonly #handler = (query: QueryInside): void => {
    if (this.#lost === null) atOnce(() => this.#inside?.execute(query))
    else query.reject(this.#lost)
  }

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
    const query = client.unsafe('', [], { onexecute })
    connection.#running = query as unknown as QueryInside
    try {
      await query
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

  /** Null if the connection can be used now, else what to wait for. */
  get occupied(): Promise<unknown> | null {
    return this.#occupied
  }

  /** Lets nobody use the connection until `work` has ended. */
  occupy(work: Promise<unknown>): void {
    const all = Promise.allSettled([this.#occupied, work]).then(() => {
      if (this.#occupied === all) this.#occupied = null
    })
    this.#occupied = all
  }

  /** Sends a query; it rejects when the connection is lost, and is not sent when it was before. */
  send(sql: string, parameters: readonly unknown[] = [], options: object = {}): PostgresQuery {
    const query = this.prepare(sql, parameters, options)
    const inside = query as unknown as QueryInside
    inside.executed = true
    inside.handler(inside)
    return query
  }

  /** The same, but sends it when its first page is asked for. */
  prepare(sql: string, parameters: readonly unknown[], options: object): PostgresQuery {
    const query = this.#client.unsafe(sql, [...parameters], options)
    const inside = query as unknown as QueryInside
    inside.handler = this.#handler
    this.#running = inside
    return query
  }

  /** Ends the idle connection. */
  end(reason: unknown): void {
    this.lose(reason)
    this.#inside?.terminate()
  }

  /**
   * The connection is broken: what runs on it is told, and it is never used again. It closes by itself; the
   * driver's way to end it would keep it from sending what it holds, and so spoil the connection after it.
   */
  lose(error: unknown): void {
    if (this.#lost !== null) return
    this.#lost = error ?? new Error('the connection has closed')
    clearTimeout(this.idleTimer)
    // The driver forgets a statement that it was given after its socket had failed.
    this.#running?.reject(this.#lost)
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
