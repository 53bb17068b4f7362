import { InvalidKeyError } from '@shard/core'
import { foldDomain } from './email-domain.ts'

/**
 * Turns each spelling of a natural key into the one that is stored. It must be pure and idempotent,
 * `n(n(x)) = n(x)`, or one person's spelling can become another's key. The directory checks what it
 * returns with `checkKey`. Changing a normaliser that has rows is a migration.
 */
export interface Normaliser {
  (text: string): string
  /** True if a key does not tell what it was made of, so that another normaliser cannot start from it. */
  readonly isOneWay?: boolean
}

/** The longest key, in UTF-8 bytes: with its namespace it fits an index on every engine. */
export const MAX_KEY_BYTES = 512

/** UTF-16 units that are looked at; nothing longer folds to a key that anybody meant. */
const MAX_SPELLING = 4_096

/** More than any spelling is known to need (two, or three where a fold bares an edge). */
const MAX_PASSES = 8

/** The common case: printable ASCII without capitals is what every fold makes of it, and short enough. */
const PLAIN = /^[!-@[-~]{1,128}$/

/** What Postgres refuses, and what has no UTF-8. */
const UNSTORABLE = /[\0\p{Surrogate}]/u

/** The property White_Space, spelled out so that no runtime has its own, and U+00AD, U+200B, U+2060, U+FEFF. */
const EDGE = /[\t-\r \u0085\u00A0\u00AD\u1680\u2000-\u200B\u2028\u2029\u202F\u205F\u2060\u3000\uFEFF]/

/**
 * E-mail addresses: edges trimmed, NFC, lower case without a locale, and the domain (after the last `@`)
 * in the ASCII form that DNS asks for, so `jürgen@BÜCHER.example` is `jürgen@xn--bcher-kva.example`.
 * Dots and `+` in the local part count. It folds and does not judge: text without `@` is folded as a user name.
 * @throws InvalidKeyError as `checkKey`
 */
export function emailKey(text: string): string {
  return settle(text, (address) => {
    const at = address.lastIndexOf('@')
    if (at < 0) return address.toLowerCase()
    return `${address.slice(0, at).toLowerCase()}@${foldDomain(address.slice(at + 1))}`
  })
}

/**
 * User names: edges trimmed, NFC, lower case without a locale. Accents and look-alikes stay distinct.
 * @throws InvalidKeyError as `checkKey`
 */
export function usernameKey(text: string): string {
  return settle(text, (name) => name.toLowerCase())
}

/**
 * Keys that machines make: NFC and nothing else; case and spaces count.
 * @throws InvalidKeyError as `checkKey`
 */
export function exactKey(text: string): string {
  return checkKey(checkSpelling(text).normalize('NFC'))
}

/**
 * Returns `key` if every engine can store it and tell it apart.
 * @throws InvalidKeyError if it is not text, is blank, is above 512 UTF-8 bytes, or contains NUL or a lone surrogate
 */
export function checkKey(key: string): string {
  if (typeof key === 'string' && PLAIN.test(key)) return key
  checkSpelling(key)
  if (trimEdges(key) === '') throw new InvalidKeyError('is blank')
  // A UTF-16 unit takes one to three bytes.
  if (key.length * 3 > MAX_KEY_BYTES && new TextEncoder().encode(key).length > MAX_KEY_BYTES)
    throw new InvalidKeyError(`is longer than ${MAX_KEY_BYTES} UTF-8 bytes`)
  return key
}

/** Folds until nothing changes: lower-casing can undo NFC, and folding a domain can bare an edge. */
function settle(spelling: string, fold: (text: string) => string): string {
  if (typeof spelling === 'string' && PLAIN.test(spelling)) return spelling
  let text = checkSpelling(spelling)
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const next = fold(trimEdges(text.normalize('NFC')))
    if (next === text) return checkKey(text)
    text = next
  }
  throw new InvalidKeyError('has no settled spelling')
}

function checkSpelling(text: string): string {
  if (typeof text !== 'string') throw new InvalidKeyError(`must be text, not ${typeof text}`)
  if (text.length > MAX_SPELLING) throw new InvalidKeyError(`is longer than ${MAX_KEY_BYTES} UTF-8 bytes`)
  if (UNSTORABLE.test(text)) throw new InvalidKeyError('contains NUL or a lone surrogate')
  return text
}

function trimEdges(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && EDGE.test(text.charAt(start))) start++
  while (start < end && EDGE.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}
