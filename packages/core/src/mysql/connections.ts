import { checkSignal } from '../argument.ts'
import { AbortedError } from '../driver-errors.ts'
import { InvalidArgumentError } from '../errors.ts'
import type { ConnectionConfig, MysqlCallbackPool, MysqlConnection, MysqlPool, PoolInside } from './driver.ts'
import { translate } from './errors.ts'

/** The client flag that makes the server count matched rows, changed or not. */
const FOUND_ROWS = 2

/** The connections of a pool, taken one by one. */
export class Connections {
  readonly #pool: MysqlCallbackPool
  readonly #known = new WeakSet<MysqlConnection>()

  /** @throws InvalidArgumentError if the pool is set to count or to read otherwise than is promised */
  constructor(pool: MysqlPool) {
    this.#pool = 'pool' in pool ? pool.pool : pool
    checkConfig((this.#pool as PoolInside).config?.connectionConfig ?? {})
  }

  /** Waits for a connection; the caller releases or destroys it. An abort while waiting gives it back. */
  take(signal?: AbortSignal): Promise<MysqlConnection> {
    return new Promise((resolve, reject) => {
      checkSignal(signal)
      const abort = (): void => reject(new AbortedError(signal?.reason))
      signal?.addEventListener('abort', abort, { once: true })
      this.#pool.getConnection((error: unknown, connection: MysqlConnection) => {
        signal?.removeEventListener('abort', abort)
        if (error) return reject(translate(error, 'not-applied'))
        if (signal?.aborted) return connection.release()
        this.#listen(connection)
        resolve(connection)
      })
    })
  }

  end(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pool.end((error: unknown) => (error ? reject(translate(error, 'not-applied')) : resolve()))
    })
  }

  /** Every failure is told to the statement that meets it; without a listener it would end the process too. */
  #listen(connection: MysqlConnection): void {
    if (this.#known.has(connection)) return
    this.#known.add(connection)
    connection.on('error', () => {})
  }
}

function checkConfig({ clientFlags = FOUND_ROWS, decimalNumbers, typeCast }: ConnectionConfig): void {
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
}
