import { createHash } from 'node:crypto'
import { emailKey, exactKey, usernameKey } from '@shard/directory'

// Prints one digest of the keys of all texts that case or composition could change, and the host's own
// locale; key-locales.test.ts runs it under several.

const digest = createHash('sha256')

/** What this runtime folds, composes or lower-cases; the rest is the same everywhere. */
function isTouchy(character: string): boolean {
  return [character.toLowerCase(), character.toUpperCase(), character.normalize('NFD')].some(
    (one) => one !== character,
  )
}

for (let point = 1; point <= 0x1ffff; point++) {
  if (point === 0xd800) point = 0xe000
  const c = String.fromCodePoint(point)
  if (!isTouchy(c)) continue
  for (const text of [`${c}ab`, `a${c}b`, `ab${c}`, `I${c}@I${c}.x`])
    for (const normaliser of [emailKey, usernameKey, exactKey]) digest.update(`${normaliser(text)}\n`)
}
process.stdout.write(
  JSON.stringify({ digest: digest.digest('hex'), locale: Intl.DateTimeFormat().resolvedOptions().locale }),
)
