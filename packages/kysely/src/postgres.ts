import { BusyError, ConnectionLostError, type Outcome, type ShardError } from '@shard/core'
import { postgresError } from '@shard/core/adapter'
import type { Engine } from './engine.ts'
import { meaningBy, textOf } from './meaning.ts'

/** PostgreSQL behind Kysely: PGlite, pg and what is made like it. */
export const postgres: Engine = {
  meaning: (error, lost) => meaningBy(error, lost, translate),
  encode: (value) => value,
  decode: null,
  refusal: () => null,
  failureDooms: true,
  paging: {
    keep: (name, sql) => `declare ${name} no scroll cursor with hold for ${sql}`,
    kept: null,
    page: (name, _columns, _after, rows) => `fetch forward ${rows} from ${name}`,
    drop: (name) => `close ${name}`,
  },
}

/** What pg says without a code. */
function translate(error: unknown, lost: Outcome): ShardError {
  const text = textOf(error)
  if (/timeout exceeded when trying to connect/.test(text)) return new BusyError(error)
  if (/is not queryable/.test(text)) return new ConnectionLostError(error, 'not-applied')
  if (/^Connection terminated/.test(text)) return new ConnectionLostError(error, lost)
  return postgresError(error, lost)
}
