import type { DialectName, Executor } from '@shard/core'
import type { SqlDialect } from './dialect.ts'
import { mysql } from './mysql.ts'
import { postgres } from './postgres.ts'
import { sqlite } from './sqlite.ts'

const dialects: Record<DialectName, SqlDialect> = { sqlite, postgres, mysql }

/** The dialect that an executor speaks. */
export function dialectOf(executor: Pick<Executor, 'dialect'>): SqlDialect {
  return dialects[executor.dialect]
}
