import { Turn } from './at-once.ts'
import type { PostgresQuery, PostgresRows, QueryInside } from './client.ts'
import type { Connection } from './connection.ts'

/** The rows of a statement in pages, from one portal. */
export class Pages {
  readonly #connection: Connection
  readonly #query: QueryInside
  readonly #pages: AsyncIterator<PostgresRows>
  #turn = new Turn()
  #failure: { readonly error: unknown } | null = null

  constructor(connection: Connection, query: PostgresQuery, rows: number) {
    this.#connection = connection
    this.#query = query as unknown as QueryInside
    this.#pages = query.cursor(rows)[Symbol.asyncIterator]() as AsyncIterator<PostgresRows>
  }

  /** The next page; null after the last. */
  async next(): Promise<PostgresRows | null> {
    await this.#turn.safe()
    if (this.#failure) throw this.#failure.error
    const { done, value } = await this.#pages.next()
    this.#turn = new Turn()
    // Between two pages only a connection fails; the driver would take it for the end of the rows.
    this.#query.reject = (error) => {
      this.#failure = { error }
      this.#connection.lose(error)
    }
    return done ? null : value
  }

  /** Gives up what is left. */
  async close(): Promise<void> {
    await this.#turn.safe()
    if (this.#failure) return
    await this.#pages.return?.()
    // The driver does not tell when it has closed the portal; the answer to what is sent next does.
    this.#connection.occupy(this.#connection.send('').catch((error) => this.#connection.lose(error)))
  }
}
