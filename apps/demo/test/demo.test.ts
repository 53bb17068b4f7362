import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { malformed, peopleCsv, sample } from '../scripts/people.ts'
import { lockDirectory } from '../src/process-lock.ts'
import { bundleDemo, ended, fromSource, runDemo, startNode, temporaryDirectory } from './run-demo.ts'
import { csvOf, sampleRows } from './sample-rows.ts'
import { faultsOf, type Stored, storedIn } from './stored.ts'

const people = readFileSync(new URL('../people.csv', import.meta.url), 'utf8')

beforeAll(bundleDemo)

test('the sample file is what its script makes', () => {
  expect(people).toBe(peopleCsv(sample.seed, sample.rows))
})

test('the sample file: each good row is stored, shards are sealed and promoted, a second run adds nothing', async () => {
  const data = temporaryDirectory()
  const first = await ended(startNode(...fromSource, '--data', data))
  expect(first).toMatchObject({ exitCode: 0, stderr: '' })
  expect(first.stdout).toMatch(/^9991 rows: 2459 new accounts, 9991 new messages; 9 rows skipped$/m)
  expect(first.stdout).toMatch(/^shard 0 is full: sealed; shard 1 takes the new accounts$/m)
  expect(first.stdout).toMatch(/^ids minted +12450 in this run$/m)
  expect(first.stdout).toMatch(/^directory entries +2459$/m)
  expect(first.stdout).toMatch(/^a sample id +\d+ = shard [012], 20\d\d-/m)
  expect(first.stdout).toMatch(/^100% /m)

  const stored = await storedIn(data)
  expect(stored.statuses).toEqual(['sealed', 'sealed', 'active'])
  expect(stored).toMatchObject({
    accounts: { length: 2_459 },
    messages: { length: 9_991 },
    directory: { length: 2_459 },
  })
  stored.statuses.forEach((status, shard) => {
    const count = (rows: readonly { shard: number }[]): number =>
      rows.filter((row) => row.shard === shard).length
    const cells = `${count(stored.accounts)} +${count(stored.messages)}`
    expect(first.stdout).toMatch(new RegExp(`^ +${shard} +${status} +\\d\\.\\d\\d MB +\\d+% +${cells}$`, 'm'))
  })

  const second = await runDemo('--data', data)
  expect(second).toMatchObject({ exitCode: 0, stderr: '' })
  expect(second.stdout).toMatch(/^9991 rows: 0 new accounts, 0 new messages; 9 rows skipped$/m)
  expect(await storedIn(data)).toEqual(stored)

  // Each malformed row is reported by its line, and no other is.
  const reported = [...first.stdout.matchAll(/^line (\d+): .*; skipped$/gm)].map((match) => Number(match[1]))
  const lines = people.split('\n')
  expect(reported.map((line) => lines[line - 1])).toEqual(malformed.map(([, text]) => text))
})

test('four processes at once, each with a worker number of its own: all is stored once, no id twice', async () => {
  const data = temporaryDirectory()
  const csv = join(data, 'people.csv')
  const rows = sampleRows(2_000, 700)
  writeFileSync(csv, csvOf([...rows, { email: 'nobody', name: 'x', message: 'y' }]))
  const args = ['--data', data, '--import', csv, '--processes', '4', '--batch', '50', '--shard-size', '1']
  const first = await runDemo(...args)
  expect(first).toMatchObject({ exitCode: 0, stderr: '' })
  expect(first.stdout).toMatch(/^2000 rows: 700 new accounts, 2000 new messages; 1 rows skipped$/m)
  expect(first.stdout).toMatch(/^ids on record +2700, none twice$/m)
  const stored = await storedIn(data)
  expect(faultsOf(stored, rows)).toEqual([])
  expect(workersOf(stored)).toBeGreaterThanOrEqual(4)
  const second = await runDemo(...args)
  expect(second.stdout).toMatch(/^2000 rows: 0 new accounts, 0 new messages; 1 rows skipped$/m)
  expect(await storedIn(data)).toEqual(stored)
})

/** How many workers the ids are of. */
function workersOf({ accounts, messages }: Stored): number {
  return new Set([...accounts, ...messages].map(({ id }) => (BigInt(id) >> 5n) & 31n)).size
}

test('a file of a user: byte order mark, CRLF, another order of columns', async () => {
  const data = temporaryDirectory()
  const csv = join(data, 'mine.csv')
  writeFileSync(
    csv,
    '\ufeffname,message,email\r\nAnn,"a,\r\nb",ann@example.org\r\nBo\r\nAnn,c,Ann@Example.ORG\r\n',
  )
  const { stdout, exitCode } = await runDemo('--data', data, '--import', csv)
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^line 4: 3 columns expected, 1 found; skipped$/m)
  const rows = ['a,\r\nb', 'c'].map((message) => ({ email: 'ann@example.org', name: 'Ann', message }))
  expect(faultsOf(await storedIn(data), rows)).toEqual([])
})

test('shards that are full stop the import; with more room it goes on', async () => {
  const data = temporaryDirectory()
  const csv = join(data, 'people.csv')
  const rows = sampleRows(2_000, 1_900)
  writeFileSync(csv, csvOf(rows))
  const full = await runDemo('--data', data, '--import', csv, '--shard-size', '0.1', '--batch', '50')
  expect(full).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--shard-size') })
  const room = await runDemo('--data', data, '--import', csv, '--shard-size', '10')
  expect(room).toMatchObject({ exitCode: 0, stderr: '' })
  expect(faultsOf(await storedIn(data), rows)).toEqual([])
})

describe('what it says', () => {
  test('to --help', async () => {
    expect(await runDemo('--help')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('--import'),
    })
  })

  test.each([
    ['an unknown option', ['--imprt', 'x.csv'], 2, '--help'],
    ['no number of processes', ['--processes', '0'], 2, '--processes must be a whole number from 1 to 16'],
    ['a share that nobody gave it', ['--share', '0/4'], 2, '--share is for processes'],
    ['a file that is not there', ['--import', '/no/such.csv'], 2, 'There is no file /no/such.csv.'],
    ['a directory that cannot be made', ['--data', join(import.meta.filename, 'data')], 1, 'cannot be used'],
    ['a file for a directory', ['--data', import.meta.filename], 1, 'cannot be used'],
    ['a directory that the system refuses', ['--data', '/proc/shard/data'], 1, 'cannot be used'],
  ])('to %s', async (_, args, exitCode, words) => {
    const { stderr, ...end } = await runDemo(...args)
    expect(end).toMatchObject({ exitCode, stdout: '' })
    expect(stderr).toContain(words)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  test('to a second process on one data directory', async () => {
    const data = temporaryDirectory()
    const lock = lockDirectory(data)
    const { exitCode, stderr } = await runDemo('--data', data)
    expect(exitCode).toBe(1)
    expect(stderr).toBe(`Another process is at work in ${data}. Wait for it, or give another --data.\n`)
    await lock.release()
    await lockDirectory(data).release()
  })

  test('when the database of a shard is gone, or is another cluster’s', async () => {
    const data = temporaryDirectory()
    const csv = join(data, 'people.csv')
    writeFileSync(csv, csvOf(sampleRows(3, 2)))
    expect(await runDemo('--data', data, '--import', csv)).toMatchObject({ exitCode: 0 })
    rmSync(join(data, 'accounts_shard_0001.db'))
    const gone = await runDemo('--data', data, '--import', csv)
    expect(gone).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('accounts_shard_0001.db') })
    rmSync(join(data, 'global.db'))
    const strange = await runDemo('--data', data, '--import', csv)
    expect(strange).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('not the one that belongs'),
    })
  })
})
