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

  /** Texts in rows that are one key each, beside the rows of all others. */
  const hard = [
    ['"very.(),:;<>[]\\".VERY."very@\\\\ \\"very\\".unusual"@strange.Example.com'],
    ["O'Brien+tag;drop table--@example.com", "o'brien+tag;drop table--@EXAMPLE.com"],
    ['obrien+tag;drop table--@example.com'],
    ['a@b@example.com'],
    ['用户@例子.广告', '用户@xn--fsqu00a.xn--4rr70v'],
    ['δοκιμή@παράδειγμα.δοκιμή', 'ΔΟΚΙΜΉ@ΠΑΡΆΔΕΙΓΜΑ.ΔΟΚΙΜΉ', 'δοκιμή@παράδειγμα.δοκιμή'.normalize('NFD')],
    ['ISTANBUL@x.tr', 'istanbul@x.tr'],
    ['İSTANBUL@x.tr', 'i\u0307stanbul@x.tr'],
    ['ıstanbul@x.tr'],
    ['straße@x.de', 'STRAßE@X.DE'],
    ['strasse@x.de'],
    ['strauß@straße.de', 'strauß@xn--strae-oqa.de'],
    ['strauß@strasse.de'],
    ['user@[192.168.0.1]', 'USER@[192.168.0.1]'],
    ['user@[IPv6:2001:DB8::1]', 'user@[ipv6:2001:db8::1]'],
    ['\u{1F600}@\u{1F4A9}.la', '\u{1F600}@xn--ls8h.la', ' \u{1F600}@\u{1F4A9}。la\uFEFF'],
    ['a\u200Db@x'],
    ['a\u00ADb@x'],
    ['ab@x'],
    ['%@x'],
    ['_@x'],
    ['a@x.'],
    ['a@x'],
    ['a@xn--\u0301'],
  ] as const

  check('hard addresses are one key where they should be, and distinct where not', async (directory) => {
    for (const [i, [text]] of hard.entries()) {
      const { won } = await directory.claim(text, BigInt(i + 1))
      assert.ok(won, text)
    }
    const texts: string[] = hard.flatMap((row) => [...row])
    const owners = hard.flatMap((row, i) => row.map(() => BigInt(i + 1)))
    assert.deepEqual([...(await directory.resolveMany(texts)).values()], owners)
    for (const { key, id } of await directory.list()) assert.equal(await directory.resolve(key), id)
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
