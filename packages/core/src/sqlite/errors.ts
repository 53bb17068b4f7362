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
 * The name of the result code that a driver gives: better-sqlite3 in `code`, D1 and others in the text. Those
 * over a network may shorten it; which constraint failed is then in the engine's own text alone.
 */
function codeOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  const text = String(message)
  const isNamed = typeof code === 'string' && code.startsWith('SQLITE_')
  const name = isNamed ? code : (text.match(/SQLITE_[A-Z_]+/g)?.at(-1) ?? '')
  const isUnique = name === 'SQLITE_CONSTRAINT' && text.includes('UNIQUE constraint failed')
  return isUnique ? 'SQLITE_CONSTRAINT_UNIQUE' : name
}

/**
 * Translates what better-sqlite3 throws. Result codes: https://www.sqlite.org/rescode.html
 * A broken disk leaves a write's outcome unknown; every other refusal leaves the database as it was.
 */
export function translate(error: unknown): ShardError {
  if (isShardError(error)) return error
  const code = codeOf(error)
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
