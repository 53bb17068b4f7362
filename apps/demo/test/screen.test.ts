import { expect, test } from 'vitest'
import { oneLine } from '../src/one-line.ts'
import { readOptions } from '../src/options.ts'
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
  expect(readOptions([])).toMatchObject({ batchRows: 500, shardBytes: null })
  expect(readOptions(['--', '--batch', '20', '--shard-size', '2.5'])).toMatchObject({
    batchRows: 20,
    shardBytes: 2_500_000n,
  })
  expect(readOptions(['-h'])).toBeNull()
  const wrong = [
    ['--batch', '0'],
    ['--batch', '2.5'],
    ['--batch'],
    ['--shard-size', '1e3'],
    ['--data='],
    ['file.csv'],
  ]
  for (const args of wrong) expect(() => readOptions(args)).toThrow(expect.objectContaining({ exitCode: 2 }))
})
