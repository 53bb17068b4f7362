import { expect, test } from 'vitest'
import { oneLine } from '../src/one-line.ts'
import { type Options, readOptions } from '../src/options.ts'
import { progressOn } from '../src/progress.ts'
import { table } from '../src/table.ts'

test('a table stands in columns, numbers to the right', () => {
  const rows = [
    ['shard', 'status', 'rows'],
    ['0', 'active', '12'],
    ['10', 'up', '3'],
  ]
  expect(table(rows)).toBe(
    ['shard  status  rows', '-----  ------  ----', '    0  active    12', '   10  up         3'].join('\n'),
  )
})

test('text of strangers stays on its line, whole characters only', () => {
  expect(oneLine('a\u001b[2J\nb\u009b', 40)).toBe('a [2J b')
  expect(oneLine('😀😀😀', 2)).toBe('😀😀...')
})

test('progress without a terminal is a line for each tenth', () => {
  let text = ''
  const progress = progressOn({ write: (more: string) => (text += more) })
  for (let i = 0; i <= 40; i++) progress.update(i / 40, `${i} rows`)
  progress.note('a note')
  progress.end()
  expect(text.split('\n')).toHaveLength(12)
  expect(text).toMatch(/^ 10% {2}4 rows\n 20% {2}8 rows\n[\s\S]*\n100% {2}40 rows\na note\n$/)
})

test('progress on a terminal redraws one line, and notes stay above it', () => {
  let text = ''
  const progress = progressOn({ isTTY: true, columns: 60, write: (more: string) => (text += more) })
  progress.update(0.5, 'half')
  progress.note('a note')
  progress.end()
  expect(text).toContain('\r\u001b[2Ka note\n')
  expect(text.endsWith('50%  half\n')).toBe(true)
})

test('options', () => {
  expect(readOptions([])).toMatchObject({ batchRows: 500, fleet: { shardBytes: null } })
  expect(readOptions(['--', '--batch', '20', '--shard-size', '2.5'])).toMatchObject({
    batchRows: 20,
    fleet: { shardBytes: 2_500_000n },
  })
  expect(readOptions(['-h'])).toBeNull()
  const wrong = [
    ['--batch', '0'],
    ['--batch', '2.5'],
    ['--batch'],
    ['--shard-size', '1e3'],
    ['--data='],
    ['file.csv'],
    ['--shards', 'a.db'],
    ['--global', 'a.db', '--data', 'b'],
    ['--global', 'a.db', '--shards', 'b.db,,c.db'],
    ['--global', 'a.db', '--shards', 'b.db,./a.db'],
    ['--global', 'redis://host/db'],
    ['--global', 'postgres://host/'],
    ['--global', `mysql://host/${'x'.repeat(64)}`],
  ]
  for (const args of wrong) expect(() => readOptions(args)).toThrow(expect.objectContaining({ exitCode: 2 }))
})

test('addresses are shown without their passwords', () => {
  const { fleet, place } = readOptions([
    '--global',
    'postgres://ann:secret@db.example:5433/a%20b',
    '--shards',
    'sqlite:/data/0.db,mariadb://ann:secret@db.example/one',
  ]) as Options
  const { global, shards } = fleet
  expect(place).toBe('postgres://db.example:5433/a b')
  expect(global).toMatchObject({ dialect: 'postgres', name: 'a b', shown: place })
  expect(shards).toMatchObject([
    { dialect: 'sqlite', address: '/data/0.db', name: '0' },
    { dialect: 'mysql', name: 'one', shown: 'mariadb://db.example/one' },
  ])
  const spoiled = (): unknown => readOptions(['--global', 'postgres://ann:se/cret@db:x/y'])
  expect(spoiled).toThrow(expect.objectContaining({ message: expect.not.stringContaining('cret') }))
})
