import { checkBigint, show } from './argument.ts'
import { InvalidArgumentError } from './errors.ts'
import { type Id, MAX_ID } from './id.ts'

/** Crockford's base 32: https://www.crockford.com/base32.html */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 63 bits in digits of 5. */
const LENGTH = 13

/**
 * Writes an id as 13 characters that sort, as bytes or as JS strings, as the ids do: Crockford's base 32 in
 * upper case, with leading zeros. For file names, object keys and URLs.
 * @throws InvalidArgumentError if it is out of range
 */
export function formatIdSortable(id: Id): string {
  let rest = checkBigint('an id', id, 1n, MAX_ID)
  let text = ''
  for (let i = 0; i < LENGTH; i++) {
    text = DIGITS.charAt(Number(rest & 31n)) + text
    rest >>= 5n
  }
  return text
}

/**
 * Reads what `formatIdSortable` wrote, and nothing else: no lower case, no letters that only look alike, no
 * hyphens, no other length. So each id has one text, and texts that differ are different ids.
 * @throws InvalidArgumentError
 */
export function parseIdSortable(text: string): Id {
  if (typeof text === 'string' && /^[0-7][0-9A-HJKMNP-TV-Z]{12}$/.test(text)) {
    let id = 0n
    for (const digit of text) id = (id << 5n) | BigInt(DIGITS.indexOf(digit))
    return checkBigint('an id', id, 1n, MAX_ID)
  }
  throw new InvalidArgumentError(`an id must be ${LENGTH} characters of Crockford base 32, not ${show(text)}`)
}
