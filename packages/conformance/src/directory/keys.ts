import assert from 'node:assert/strict'
import { exactKey } from '@shard/directory'
import { ANN, type Check } from './check.ts'

/** Which texts are one key. */
export function keys(check: Check): void {
  const distinct = [
    'a',
    'A',
    'e',
    'é',
    'x',
    'x ',
    ' x',
    'ß',
    'ss',
    'ı',
    'i',
    'İ',
    'ﬁ',
    'fi',
    'Å',
    "'; drop--",
    '%',
    '_',
  ]

  check('keys that differ in a byte are different keys', async (directory, host) => {
    const exact = host.directory({ namespace: 'exact', normaliser: exactKey })
    for (const [i, key] of distinct.entries()) {
      assert.equal((await exact.claim(key, BigInt(i + 1))).won, true, key)
    }
    for (const [i, key] of distinct.entries()) assert.equal(await exact.resolve(key), BigInt(i + 1), key)
    assert.equal((await directory.list()).length, 0)
  })

  const spellings = [
    ['quac\u212A@x', 'quack@x'],
    ['jürgen@x'.normalize('NFD'), 'jürgen@x'.normalize('NFC')],
    ['\u200B\u0085 ann@x\u2060\u00AD\uFEFF', 'ann@x'],
    ['ann@BÜCHER.example', 'ann@xn--bcher-kva.example'],
  ] as const

  check('spellings of one key are one key', async (directory) => {
    for (const [i, [spelling, key]] of spellings.entries()) {
      await directory.claim(spelling, BigInt(i + 1))
      assert.equal(await directory.resolve(key), BigInt(i + 1))
      assert.equal((await directory.lookup(spelling))?.key, key)
      assert.equal((await directory.claim(key, ANN)).won, false)
    }
  })

  check('keys of up to 512 bytes are kept whole, longer ones are refused', async (directory) => {
    for (const bytes of [191, 192, 255, 320, 512, 513, 768]) {
      for (const key of [keyOf('k', bytes), keyOf('é', bytes), keyOf('\u{1F511}', bytes)]) {
        const claim = directory.claim(key, ANN)
        if (bytes > 512) await assert.rejects(claim, { code: 'INVALID_KEY' })
        else {
          assert.equal((await claim).won, true)
          assert.equal((await directory.lookup(key))?.key, key)
        }
      }
    }
    assert.equal((await directory.keysOf(ANN)).length, 15)
  })
}

/** A key of so many UTF-8 bytes. */
function keyOf(character: string, bytes: number): string {
  const size = new TextEncoder().encode(character).length
  return '-'.repeat(bytes % size) + character.repeat(Math.floor(bytes / size))
}
