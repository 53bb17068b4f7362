import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashedKeys } from '../src/hashed-keys.ts'
import { exactKey } from '../src/natural-key.ts'

const secret = new TextEncoder().encode('0123456789abcdef')

test('a key is the name of the secret and the HMAC-SHA-256 of the key beneath', () => {
  const expected = createHmac('sha256', secret).update('ann@example.com').digest('base64url')
  const fold = hashedKeys({ secret, keyId: 'k1' })
  expect(fold(' Ann@EXAMPLE.com')).toBe(`k1:${expected}`)
  expect(fold.isOneWay).toBe(true)
  expect(hashedKeys({ secret, keyId: 'k1', normaliser: exactKey })('Ann')).not.toBe(fold('Ann'))
})

test('a stored key is no key', () => {
  const fold = hashedKeys({ secret, keyId: 'k1' })
  expect(fold(fold('ann'))).not.toBe(fold('ann'))
})

test('a secret that is overwritten afterwards changes nothing', () => {
  const own = Uint8Array.from(secret)
  const fold = hashedKeys({ secret: own, keyId: 'k1' })
  const before = fold('ann')
  own.fill(0)
  expect(fold('ann')).toBe(before)
})

test('what is no key stays none', () => {
  for (const text of ['', ' ', 'a\0', '\uD800', 'k'.repeat(513)])
    expect(() => hashedKeys({ secret, keyId: 'k' })(text)).toThrow(
      expect.objectContaining({ code: 'INVALID_KEY' }),
    )
})

test('a short secret, or a name that could be a part of another, is refused', () => {
  const bad = [
    { secret: secret.slice(1), keyId: 'k' },
    { secret: '0123456789abcdef' as never, keyId: 'k' },
    ...['', 'a:b', 'k'.repeat(33), 'é', 7 as never].map((keyId) => ({ secret, keyId })),
    { secret, keyId: 'k', normaliser: 'emailKey' as never },
  ]
  for (const options of bad)
    expect(() => hashedKeys(options)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }))
})
