import type { Statement } from '../executor.ts'
import { cancelOn } from './cancel.ts'
import type { MysqlConnection, MysqlField, MysqlStream } from './driver.ts'
import { encode } from './encode.ts'
import { readRows } from './rows.ts'

/** Rows that a stream holds in memory. */
const PAGE_ROWS = 500

/** A statement whose rows are read as they come, from the moment it is made. */
export class RowStream {
  readonly #connection: MysqlConnection
  readonly #rows: MysqlStream
  #fields: readonly MysqlField[] = []
  #failure: Error | null = null
  #cancelling: Promise<void> | null = null
  /** A command without a callback is not told that its connection broke. */
  readonly #fail = (error: Error): void => {
    this.#failure ??= error
    this.#rows?.destroy(error)
  }

  /** @throws what the driver says of a connection that has been cut */
  constructor(connection: MysqlConnection, { sql, parameters }: Statement) {
    this.#connection = connection
    connection.on('error', this.#fail)
    const command =
      parameters.length > 0 ? connection.execute(sql, encode(parameters)) : connection.query(sql)
    command.on('fields', (fields) => {
      this.#fields = fields
    })
    this.#rows = command.stream({ highWaterMark: PAGE_ROWS })
    if (this.#failure !== null) throw this.#failure
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Record<string, unknown>> {
    for await (const row of this.#rows) yield* readRows([row], this.#fields)
  }

  /** Stops the statement on the server. */
  cancel(): void {
    this.#cancelling ??= cancelOn(this.#connection)
  }

  /** Resolves when the connection is free for others. */
  async end(): Promise<void> {
    await this.#cancelling
    this.#connection.off('error', this.#fail)
  }
}
