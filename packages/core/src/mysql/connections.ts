import { checkInteger, checkSignal } from '../argument.ts'
import { atMost } from '../at-most.ts'
import { Deadlines } from '../deadlines.ts'
import { AbortedError, BusyError } from '../driver-errors.ts'
import { InvalidArgumentError } from '../errors.ts'
import type { ConnectionCheck, StatementSource } from '../executor.ts'
import { callersStatement } from '../statement.ts'
import { cut } from './cancel.ts'
import type { ConnectionConfig, MysqlCallbackPool, MysqlConnection, MysqlPool, PoolInside } from './driver.ts'
import { translate } from './errors.ts'
import { runQuery } from './query.ts'

/** The client flag that makes the server count matched rows, changed or not. */
const FOUND_ROWS = 2

/** How long a server has to end idle connections. */
const GOODBYE_MS = 1_000

/** The connections of a pool, taken one by one. */
export class Connections {
  readonly #pool: MysqlCallbackPool
  readonly #deadlines: Deadlines
  readonly #open = new Set<MysqlConnection>()
  #check: ConnectionCheck | null = null
  #checked = new WeakSet<MysqlConnection>()

  /** @throws InvalidArgumentError if the pool is set to count or to read otherwise than is promised */
  constructor(pool: MysqlPool, waitTimeoutMs: number) {
    this.#deadlines = new Deadlines(checkInteger('waitTimeoutMs', waitTimeoutMs, 1, 2 ** 31 - 1))
    this.#pool = 'pool' in pool ? pool.pool : pool
    configure((this.#pool as PoolInside).config?.connectionConfig ?? {})
  }

  /** Has each connection checked before it is next given out, once. */
  checkEach(check: ConnectionCheck): void {
    this.#check = check
    this.#checked = new WeakSet()
  }

  /**
   * Waits for a connection; the caller releases or destroys it. One that comes after an abort is given back.
   * @throws BusyError (retryable) after `waitTimeoutMs`; AbortedError
   */
  async take(signal?: AbortSignal): Promise<MysqlConnection> {
    const connection = await this.#next(signal)
    if (this.#check === null || this.#checked.has(connection)) return connection
    try {
      await this.#check({
        dialect: 'mysql',
        execute: (source: StatementSource) =>
          runQuery(connection, 'not-applied', callersStatement(source, 'mysql'), signal),
      })
      this.#checked.add(connection)
      return connection
    } catch (error) {
      connection.destroy()
      throw error
    }
  }

  #next(signal: AbortSignal | undefined): Promise<MysqlConnection> {
    return new Promise((resolve, reject) => {
      checkSignal(signal)
      let isWaiting = true
      const leave = (): void => {
        isWaiting = false
        this.#deadlines.delete(waiter)
        signal?.removeEventListener('abort', abort)
      }
      const giveUp = (error: Error): void => {
        leave()
        this.#leaveQueue(take)
        reject(error)
      }
      const take = (error: unknown, connection: MysqlConnection): void => {
        if (!isWaiting) {
          if (!error) connection.release()
          return
        }
        leave()
        if (error) {
          reject(translate(error, 'not-applied'))
        } else {
          this.#listen(connection)
          resolve(connection)
        }
      }
      const late = (): void => giveUp(new BusyError(new Error('no connection was to be had in time')))
      const waiter = { late }
      this.#deadlines.add(waiter)
      const abort = (): void => giveUp(new AbortedError(signal?.reason))
      signal?.addEventListener('abort', abort, { once: true })
      this.#pool.getConnection(take)
    })
  }

  /** The driver would keep it, and call it, for as long as nobody gets a connection. */
  #leaveQueue(waiting: unknown): void {
    const queue = (this.#pool as PoolInside)._connectionQueue
    for (let i = 0; queue && i < queue.length; i++) {
      if (queue.get(i) === waiting) return void queue.removeOne(i)
    }
  }

  /** A connection that does not say good-bye is cut. */
  async end(): Promise<void> {
    const ended = new Promise<void>((resolve, reject) => {
      this.#pool.end((error: unknown) => (error ? reject(translate(error, 'not-applied')) : resolve()))
    })
    if (await atMost(GOODBYE_MS, Promise.allSettled([ended]))) await ended
    else for (const connection of [...this.#open]) cut(connection)
  }

  /** Every failure is told to the statement that meets it; without a listener it would end the process too. */
  #listen(connection: MysqlConnection): void {
    if (this.#open.has(connection)) return
    this.#open.add(connection)
    const forget = (): void => void this.#open.delete(connection)
    connection.on('error', forget)
    connection.on('end', forget)
  }
}

/** Integers are read as text first, so that none is rounded. */
function configure(config: ConnectionConfig): void {
  const { clientFlags = FOUND_ROWS, decimalNumbers, typeCast } = config
  if ((clientFlags & FOUND_ROWS) === 0) {
    throw new InvalidArgumentError(
      'the pool has the flag FOUND_ROWS off: an update that changes nothing would count 0 rows and look lost',
    )
  }
  if (decimalNumbers) throw new InvalidArgumentError('the pool has decimalNumbers on, which rounds')
  if (typeof typeCast === 'function') {
    throw new InvalidArgumentError(
      'the pool has a typeCast of its own, which would replace the reading of integers',
    )
  }
  Object.assign(config, { rowsAsArray: false, supportBigNumbers: true, bigNumberStrings: true })
}
