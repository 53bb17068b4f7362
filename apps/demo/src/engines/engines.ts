import type { DialectName } from '@shard/core'
import type { Engine } from './engine.ts'
import { mysql } from './mysql.ts'
import { postgres } from './postgres.ts'
import { sqlite } from './sqlite.ts'

const engines: Record<DialectName, Engine> = { sqlite, postgres, mysql }

/** The engine of a database. */
export function engineOf({ dialect }: { readonly dialect: DialectName }): Engine {
  return engines[dialect]
}
