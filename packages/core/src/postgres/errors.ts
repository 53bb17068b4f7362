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
import { InvalidArgumentError, isShardError, type Outcome, type ShardError } from '../errors.ts'

/** SQLSTATEs: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const byState: Readonly<Record<string, (cause: unknown) => ShardError>> = {
  '23505': (cause) => new UniqueViolationError(cause),
  '25006': (cause) => new ReadOnlyError(cause),
  '40001': (cause) => new SerializationFailureError(cause),
  '40P01': (cause) => new DeadlockError(cause),
  '53100': (cause) => new DiskFullError(cause),
  '53300': (cause) => new BusyError(cause),
  '55P03': (cause) => new BusyError(cause),
  '57P03': (cause) => new BusyError(cause),
}

/** What postgres.js calls a connection that it could not open, or that broke, beside Node's own codes. */
const broken =
  /^(CONNECTION_CLOSED|CONNECTION_DESTROYED|CONNECT_TIMEOUT|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST\w+|ENET\w+|57P0[12]|08\w{3})$/

/** Why the server does not let in somebody for good, such as a wrong password or database. */
const refused = /^(0A|22|28|3D|42)/

/**
 * Translates what postgres.js throws. `lost` is the outcome if the connection broke: a refusal by the
 * server always leaves the database as it was.
 */
export function translate(error: unknown, lost: Outcome): ShardError {
  if (isShardError(error)) return error
  const { code: named, severity } = (error ?? {}) as { code?: unknown; severity?: unknown }
  const code = String(named ?? '')
  const known = byState[code]
  if (known) return known(error)
  // With ERROR ours goes on: the statement had made one to another server. With FATAL it ends, unless it never began.
  const ends = severity ? severity !== 'ERROR' && !refused.test(code) : broken.test(code)
  if (ends) return new ConnectionLostError(error, lost)
  if (code.startsWith('23')) return new ConstraintViolationError(error)
  if (code === '57014')
    return isTimeout(error) ? new TimeoutError(error, 'not-applied') : new AbortedError(error)
  if (code === 'CONNECTION_ENDED') return new ClosedError('the database')
  if (code === 'MAX_PARAMETERS_EXCEEDED') return new InvalidArgumentError(String((error as Error).message))
  return new QueryFailedError(error)
}

/** True when the server, or the driver in its stead, says that a cancel request ended the statement. */
export function isCancelled(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '57014' && !isTimeout(error)
}

/** The server spells one state for both; the message names the setting. */
function isTimeout(error: unknown): boolean {
  return /timeout/.test(String((error as Error | null)?.message))
}
