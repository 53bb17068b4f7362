import { type DialectName, InvalidArgumentError } from '@shard/core'
import type { Kysely, TransactionSettings } from 'kysely'
import type { CompilerClass } from '../routing/compiler.ts'
import {
  type DatabaseIntrospector,
  type DialectAdapter,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from '../tree.ts'

/** What a Kysely over an executor takes from an engine. */
export interface DialectParts {
  readonly Compiler: CompilerClass
  createAdapter(): DialectAdapter
  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector
  /** The statement with which a transaction begins that is set so; null if there is nothing to set. */
  settings(settings: TransactionSettings): string | null
  /** Can a change of the schema be a part of a transaction? */
  readonly transactionalDdl: boolean
  /** Does Kysely's lock of migrations belong to a session, where a transaction does not exclude others already? */
  readonly locksSession: boolean
  /** Where the engine puts nulls in an ascending order. */
  readonly nullsInAscending: 'first' | 'last'
}

const sqlite: DialectParts = {
  Compiler: SqliteQueryCompiler,
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
  // Every transaction is serializable; as Kysely's own dialect, this one has nothing else.
  settings: () => null,
  transactionalDdl: true,
  locksSession: false,
  nullsInAscending: 'first',
}

const postgres: DialectParts = {
  Compiler: PostgresQueryCompiler,
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  settings: ({ isolationLevel, accessMode }) => {
    const parts = [isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean)
    return parts.length === 0 ? null : `set transaction ${parts.join(' ')}`
  },
  transactionalDdl: true,
  locksSession: true,
  nullsInAscending: 'last',
}

const mysql: DialectParts = {
  Compiler: MysqlQueryCompiler,
  createAdapter: () => new MysqlAdapter(),
  createIntrospector: (db) => new MysqlIntrospector(db),
  settings: ({ isolationLevel, accessMode }) => {
    if (isolationLevel === undefined && accessMode === undefined) return null
    throw new InvalidArgumentError(
      'an open transaction of MySQL cannot be set: set the isolation of the session',
    )
  },
  transactionalDdl: false,
  locksSession: true,
  nullsInAscending: 'first',
}

/** The parts by dialect. */
export const partsOf: Readonly<Record<DialectName, DialectParts>> = { sqlite, postgres, mysql }
