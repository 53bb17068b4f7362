import type { DialectName } from '@shard/core'
import type { Engine } from './engine.ts'
import { mysql } from './mysql.ts'
import { postgres } from './postgres.ts'
import { sqlite } from './sqlite.ts'

/** What each dialect answers. */
export const engines: Readonly<Record<DialectName, Engine>> = { sqlite, postgres, mysql }
