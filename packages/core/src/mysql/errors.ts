import {
  AbortedError,
  BusyError,
  ClosedError,
  ConnectionLostError,
  ConstraintViolationError,
  DeadlockError,
  DiskFullError,
  QueryFailedError,
  ReadOnlyError,
  SerializationFailureError,
  TimeoutError,
  UniqueViolationError,
} from '../driver-errors.ts'
import { isShardError, type Outcome, type ShardError } from '../errors.ts'

type Make = (cause: unknown) => ShardError
const make = {
  unique: (cause) => new UniqueViolationError(cause),
  constraint: (cause) => new ConstraintViolationError(cause),
  deadlock: (cause) => new DeadlockError(cause),
  serialization: (cause) => new SerializationFailureError(cause),
  busy: (cause) => new BusyError(cause),
  readOnly: (cause) => new ReadOnlyError(cause),
  full: (cause) => new DiskFullError(cause),
  cancelled: (cause) => new AbortedError(cause),
  timeout: (cause) => new TimeoutError(cause, 'not-applied'),
} satisfies Record<string, Make>

/**
 * Server errors by number. https://dev.mysql.com/doc/mysql-errors/8.0/en/server-error-reference.html
 * and, for those from 1900 to 3000 and 4025, https://mariadb.com/kb/en/mariadb-error-code-reference/
 */
const byNumber: ReadonlyMap<number, Make> = new Map<number, Make>([
  ...[1062, 1169, 1586].map((n) => [n, make.unique] as const),
  ...[1048, 1216, 1217, 1451, 1452, 3819, 4025].map((n) => [n, make.constraint] as const),
  [1213, make.deadlock],
  [1020, make.serialization],
  ...[1040, 1203, 1205, 1226, 1461, 3572].map((n) => [n, make.busy] as const),
  ...[1290, 1792, 1836].map((n) => [n, make.readOnly] as const),
  ...[1021, 1114].map((n) => [n, make.full] as const),
  [1317, make.cancelled],
  ...[1969, 3024].map((n) => [n, make.timeout] as const),
])

/** Server errors that end the connection. */
const ending: ReadonlySet<number> = new Set([
  1053, 1077, 1078, 1079, 1080, 1152, 1158, 1159, 1160, 1161, 1927, 4031,
])

const broken = /^(PROTOCOL_CONNECTION_LOST|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST\w+|ENET\w+)$/

/** Translates what mysql2 throws; `lost` is the outcome if the connection broke under the statement. */
export function translate(error: unknown, lost: Outcome): ShardError {
  if (isShardError(error)) return error
  const {
    errno,
    code,
    fatal,
    message = '',
  } = (error ?? {}) as Partial<Record<'code' | 'message', string>> & {
    errno?: number
    fatal?: boolean
  }
  const known = byNumber.get(errno ?? 0)
  if (known) return known(error)
  if (/^Pool is closed/.test(message)) return new ClosedError('the database')
  if (/^(Queue limit reached|No connections available)/.test(message)) return new BusyError(error)
  // The driver refuses what is asked of a connection that it knows is closed.
  if (/closed state/.test(message)) return new ConnectionLostError(error, 'not-applied')
  if (ending.has(errno ?? 0) || broken.test(code ?? '')) return new ConnectionLostError(error, lost)
  return fatal ? new ConnectionLostError(error, lost) : new QueryFailedError(error)
}
