import type { DialectName, Executor } from '@shard/core'
import { type RawBuilder, sql } from 'kysely'

/** What the directory asks of an engine. */
export interface DirectoryDialect {
  /**
   * Ends an insert into a table, so that it does nothing where the primary key is on file, and fails for every
   * other reason. It waits for a rival that has not committed. Its row count means nothing: MySQL counts 0, 1
   * or 2 for an upsert.
   */
  readonly ifAbsent: Readonly<Record<'shard_directory' | 'claim_fate', RawBuilder<unknown>>>
  /** Ends a select that must see the last committed row, where the snapshot of its transaction may be older. */
  readonly current: RawBuilder<unknown>
  /** Ends a select whose rows nobody else may change until the end of the transaction. */
  readonly lock: RawBuilder<unknown>
}

/** A statement sees what was committed before it began; under a stricter isolation the insert is refused. */
const standard: DirectoryDialect = {
  ifAbsent: {
    shard_directory: sql`on conflict (namespace, natural_key) do nothing`,
    claim_fate: sql`on conflict (id, token) do nothing`,
  },
  current: sql``,
  lock: sql`for update`,
}

const dialects: Record<DialectName, DirectoryDialect> = {
  // A transaction keeps all others from writing.
  sqlite: { ...standard, lock: sql`` },
  postgres: standard,
  mysql: {
    // `insert ignore` would also ignore what does not fit, and cut it.
    ifAbsent: {
      shard_directory: sql`on duplicate key update natural_key = natural_key`,
      claim_fate: sql`on duplicate key update token = token`,
    },
    current: sql`lock in share mode`,
    lock: sql`for update`,
  },
}

/** The directory's part of the dialect that an executor speaks. */
export function directoryDialectOf({ dialect }: Pick<Executor, 'dialect'>): DirectoryDialect {
  return dialects[dialect]
}
