import {
  BusyError,
  ClosedError,
  ConstraintViolationError,
  DiskFullError,
  QueryFailedError,
  ReadOnlyError,
  UniqueViolationError,
} from '../driver-errors.ts'
import { InvalidArgumentError, isShardError, type ShardError } from '../errors.ts'

/**
 * Translates what better-sqlite3 throws. Result codes: https://www.sqlite.org/rescode.html
 * A broken disk leaves a write's outcome unknown; every other refusal leaves the database as it was.
 */
export function translate(error: unknown): ShardError {
  if (isShardError(error)) return error
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  if (/^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY|ROWID)$/.test(code)) return new UniqueViolationError(error)
  if (code.startsWith('SQLITE_CONSTRAINT')) return new ConstraintViolationError(error)
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return new BusyError(error)
  if (code.startsWith('SQLITE_READONLY')) return new ReadOnlyError(error)
  if (code === 'SQLITE_FULL') return new DiskFullError(error)
  if (code.startsWith('SQLITE_IOERR')) return new QueryFailedError(error, 'unknown')
  if (error instanceof TypeError && /connection is not open/.test(error.message))
    return new ClosedError('the database')
  if (error instanceof TypeError || error instanceof RangeError)
    return new InvalidArgumentError(error.message)
  return new QueryFailedError(error)
}
