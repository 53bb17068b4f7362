import assert from 'node:assert/strict'
import { type Check, need } from './check.ts'

/** [F1] What a database with a lenient collation takes for one. */
const alike = [
  'a',
  'A',
  'a ',
  ' a',
  'é',
  'e\u0301',
  'ß',
  'ss',
  "a'",
  'a"',
  'a`',
  'a\\',
  '%',
  '_',
  '\u{1f600}',
]

/** [F3] The longest, in characters of one to four bytes. */
const longest = ['a'.repeat(85), 'é'.repeat(85), '\u20ac'.repeat(85), '\u{1f600}'.repeat(42)]

export function names(test: Check): void {
  test('names that look alike are different leases', async (leases) => {
    const held = await Promise.all(alike.map((name) => need(leases, name)))
    const records = await leases.readMany(alike)
    assert.deepEqual(
      records.map((record) => record?.name),
      alike,
    )
    await Promise.all(held.map((lease) => lease.release()))
  })

  test('the longest names and owners come back as they were', async (leases) => {
    for (const name of longest) {
      const lease = await need(leases, name, { owner: name, ttlMs: 1_000 })
      const record = await leases.read(name)
      assert.deepEqual([record?.name, record?.owner], [name, name])
      await lease.release()
    }
  })

  test('many are read in the order asked for, absent ones and repetitions too', async (leases) => {
    await (await need(leases, 'b')).release()
    await (await need(leases, 'a')).release()
    const records = await leases.readMany(['a', 'nobody', 'b', 'a'])
    assert.deepEqual(
      records.map((record) => record?.name ?? null),
      ['a', null, 'b', 'a'],
    )
    assert.deepEqual(await leases.readMany([]), [])
  })

  test('a folder holds what lies under it and nothing else, in order', async (leases) => {
    const inside = ['f/0', 'f/1', 'f/10', 'f/\u{1f600}', 'f/']
    const outside = ['f', 'f0', 'F/0', 'f-/0', 'ff/0', 'f\u{1f600}']
    for (const name of [...outside, ...inside]) await (await need(leases, name)).release()
    const held = await need(leases, 'f/1')
    const { records, floorMarkMs, readAtMs } = await leases.readFolder('f')
    const names = records.map(({ name }) => name)
    assert.deepEqual(names, ['f/', 'f/0', 'f/1', 'f/10', 'f/\u{1f600}'])
    assert.deepEqual(
      records.map(({ isHeld }) => isHeld),
      [false, false, true, false, false],
    )
    assert.equal(floorMarkMs, 0)
    assert.ok(readAtMs > Date.now() - 3_600_000)
    assert.deepEqual((await leases.readFolder('nobody')).records, [])
    await held.release()
  })
}
