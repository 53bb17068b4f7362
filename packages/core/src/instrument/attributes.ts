import { isShardError } from '../errors.ts'
import type { DialectName, Statement } from '../executor.ts'
import type { Place } from '../place.ts'
import { bareText, redactedText } from '../sql-text.ts'

/** Of a span: https://opentelemetry.io/docs/specs/semconv/db/database-spans/, and `shard.*` for ours. */
export type Attributes = Readonly<Record<string, string | number>>

/** `db.system.name` by dialect; MariaDB cannot be told from MySQL here. */
const systems: Readonly<Record<DialectName, string>> = {
  sqlite: 'sqlite',
  postgres: 'postgresql',
  mysql: 'mysql',
}

/** Where a call goes. */
export function placeAttributes(
  family: string | null,
  place: Place | null,
  namespace: ((place: Place) => string | undefined) | undefined,
): Attributes {
  const name = place === null ? undefined : namespace?.(place)
  return {
    ...(family === null ? {} : { 'shard.family': family }),
    ...(typeof place === 'number' ? { 'shard.id': place } : {}),
    ...(name === undefined ? {} : { 'db.namespace': name }),
  }
}

/** What runs. `values` shows literals and parameters. */
export function statementAttributes(
  dialect: DialectName,
  statement: Statement | null,
  values: boolean,
): Attributes {
  const system = { 'db.system.name': systems[dialect] }
  if (!statement) return system
  const operation = bareText(statement.sql, dialect)
    .match(/[a-z]+/i)?.[0]
    .toUpperCase()
  return {
    ...system,
    ...(operation === undefined ? {} : { 'db.operation.name': operation }),
    'db.query.text': values ? statement.sql : redactedText(statement.sql, dialect).trim(),
    ...(values ? parameterAttributes(statement.parameters) : {}),
  }
}

/** A parameter without a name goes by its index, from 0. */
function parameterAttributes(parameters: readonly unknown[]): Attributes {
  return Object.fromEntries(
    parameters.map((value, i) => [
      `db.query.parameter.${i}`,
      value instanceof Uint8Array ? `${value.length} bytes` : String(value),
    ]),
  )
}

/** What went wrong: our code, and the engine's own if it gave one. */
export function errorAttributes(error: unknown): Attributes {
  const status = isShardError(error) ? statusOf(error.cause) : undefined
  return {
    'error.type': isShardError(error) ? error.code : error instanceof Error ? error.name : typeof error,
    ...(status === undefined ? {} : { 'db.response.status_code': status }),
  }
}

/** MySQL's number, PostgreSQL's SQLSTATE, SQLite's name; an error of the network has none of them. */
function statusOf(cause: unknown): string | undefined {
  const { errno, code } = (cause ?? {}) as { errno?: unknown; code?: unknown }
  if (typeof errno === 'number' && errno > 0) return String(errno)
  return typeof code === 'string' && /^(?:(?=.*\d)[0-9A-Z]{5}|SQLITE_\w+)$/.test(code) ? code : undefined
}
