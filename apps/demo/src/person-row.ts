import { createHash } from 'node:crypto'
import { isShardError } from '@shard/core'
import { emailKey } from '@shard/directory'
import { oneLine } from './one-line.ts'

/** One row of the import: who wrote what. Rows whose addresses have one key are one person's. */
export interface PersonRow {
  readonly email: string
  readonly name: string
  readonly message: string
}

const MAX_EMAIL = 254
const MAX_NAME = 200
const MAX_MESSAGE = 10_000

/** The first thing that is wrong with a row, in plain words; null for a good one. */
export function problemOf({ email, name, message }: PersonRow): string | null {
  const all = `${email}${name}${message}`
  if (all.includes('\ufffd')) return 'it is not UTF-8 text'
  if (all.includes('\0')) return 'it holds a NUL character'
  if (email === '') return 'no e-mail address'
  if (email.length > MAX_EMAIL || !/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(email) || !hasKey(email))
    return `not an e-mail address: ${oneLine(email, 40)}`
  if (name === '') return 'no name'
  if (name.length > MAX_NAME) return `the name has more than ${MAX_NAME} characters`
  if (message.trim() === '') return 'no message'
  if (message.length > MAX_MESSAGE) return `the message has more than ${MAX_MESSAGE} characters`
  return null
}

/**
 * Names each row by its content and, among equal rows, by its number in the file. The same file always
 * gives the same keys, so a row that was stored before is known again.
 */
export function rowKeys(): (row: PersonRow) => string {
  const seen = new Map<string, number>()
  return ({ email, name, message }) => {
    const content = createHash('sha256')
      .update(JSON.stringify([email, name, message]))
      .digest('base64url')
      .slice(0, 24)
    const occurrence = (seen.get(content) ?? 0) + 1
    seen.set(content, occurrence)
    return `${content}.${occurrence}`
  }
}

/** Can the directory hold it? */
function hasKey(email: string): boolean {
  try {
    emailKey(email)
    return true
  } catch (error) {
    if (isShardError(error, 'INVALID_KEY')) return false
    throw error
  }
}
