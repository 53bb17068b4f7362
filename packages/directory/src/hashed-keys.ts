import { createHmac } from 'node:crypto'
import { checkText, InvalidArgumentError } from '@shard/core'
import { checkKey, emailKey, type Normaliser } from './natural-key.ts'

/** How keys are hidden. */
export interface HashedKeysOptions {
  /** At least 16 bytes that nobody else knows; whoever has them and the table can try out texts. */
  readonly secret: Uint8Array
  /** Names the secret in each row: 1 to 32 letters, digits, `_` or `-`. */
  readonly keyId: string
  /** What makes keys of texts before they are hidden (`emailKey`). */
  readonly normaliser?: Normaliser
}

/**
 * A normaliser whose keys tell nothing: HMAC-SHA-256 of another's key, in base64url behind the secret's name.
 * Neither the spelling nor the text is stored. A stored key presented as a text is hashed again, and opens
 * nothing; so it is not idempotent, as other normalisers are.
 *
 * For a new secret make a new version: `normaliser: [{ version: 2, fold: newer }, { version: 1, fold: older }]`.
 * An entry is then moved to the new secret when its key is next presented; `renormalise` counts those that wait.
 * @throws InvalidArgumentError for a short secret or a bad name
 */
export function hashedKeys({ secret, keyId, normaliser = emailKey }: HashedKeysOptions): Normaliser {
  if (!(secret instanceof Uint8Array) || secret.length < 16)
    throw new InvalidArgumentError('the secret of hashed keys must be at least 16 bytes')
  if (!/^[\w-]{1,32}$/.test(checkText('the name of a secret', keyId, 32)))
    throw new InvalidArgumentError('the name of a secret must be letters, digits, _ or -')
  if (typeof normaliser !== 'function') throw new InvalidArgumentError('a normaliser must be a function')
  // A copy: a buffer that is wiped or used again does not change keys.
  const own = Uint8Array.from(secret)
  const hide = (text: string): string => {
    const key = checkKey(normaliser(text))
    return `${keyId}:${createHmac('sha256', own).update(key).digest('base64url')}`
  }
  return Object.assign(hide, { isOneWay: true })
}
