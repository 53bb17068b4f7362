import { checkNumber, show } from '../argument.ts'
import { ClosedError } from '../driver-errors.ts'
import { InvalidArgumentError } from '../errors.ts'
import type { BusyPolicy } from './busy-retry.ts'
import type { SqliteDatabase } from './database.ts'
import { PreparedStatements } from './prepared.ts'

/** How a SQLite database is opened; every field has a default. */
export interface SqliteOptions extends BusyPolicy {
  /**
   * `full` (the default) survives a power cut with every committed transaction; `normal` may lose the
   * last ones, never the file. https://www.sqlite.org/pragma.html#pragma_synchronous
   */
  readonly synchronous?: 'normal' | 'full' | 'extra'
}

/** One connection, shared by an executor and its transactions. */
export class Connection {
  readonly database: SqliteDatabase
  readonly statements: PreparedStatements
  readonly policy: BusyPolicy
  readonly #synchronous: string
  #entered = false

  constructor(database: SqliteDatabase, { synchronous = 'full', ...policy }: SqliteOptions) {
    // SQLite takes an unknown word here for a weaker level.
    if (!['normal', 'full', 'extra'].includes(synchronous))
      throw new InvalidArgumentError(`synchronous is normal, full or extra, not ${show(synchronous)}`)
    checkNumber('busyTimeoutMs', policy.busyTimeoutMs ?? 0, 0, 2 ** 31 - 1)
    if (!database.open) throw new ClosedError('the database')
    if (database.inTransaction) throw new InvalidArgumentError('the database is inside a transaction')
    this.database = database
    this.statements = new PreparedStatements(database)
    this.policy = policy
    this.#synchronous = synchronous
    // A blocking wait in the driver would starve timers and heartbeats; we wait by timer instead.
    database.pragma('busy_timeout = 0')
  }

  /** Sets how writes are made durable, once; throws the driver's BUSY while another connection is in the way. */
  enterWal(): void {
    if (this.#entered) return
    this.database.pragma(`synchronous = ${this.#synchronous}`)
    if (!this.database.readonly) this.database.pragma('journal_mode = wal')
    this.#entered = true
  }

  /** Begins or ends a transaction. */
  control(sql: string): void {
    this.enterWal()
    this.statements.run({ sql, parameters: [] })
  }
}
