import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { array, assert, asyncProperty, constantFrom, record, string } from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCsv, type ReadRow } from '../src/read-rows.ts'

let directory = ''
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'shard-demo-csv-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

function fileOf(content: string | Uint8Array): string {
  const path = join(directory, 'people.csv')
  writeFileSync(path, content)
  return path
}

async function read(content: string | Uint8Array): Promise<ReadRow[]> {
  const rows: ReadRow[] = []
  for await (const row of (await openCsv(fileOf(content))).rows) rows.push(row)
  return rows
}

/** Lines of good rows as numbers, of bad ones as their problems. */
async function outline(content: string | Uint8Array): Promise<unknown[]> {
  return (await read(content)).map((row) => ('row' in row ? row.line : `${row.line}: ${row.problem}`))
}

const HEADER = 'email,name,message\n'

describe('rows', () => {
  test('quotes, commas and line breaks inside a field', async () => {
    const rows = await read(`${HEADER}a@b.example,"Ann ""A"" Lee","one, two\nthree"\nc@d.example,Cy,x\n`)
    expect(rows).toMatchObject([
      { line: 2, row: { email: 'a@b.example', name: 'Ann "A" Lee', message: 'one, two\nthree' } },
      { line: 4, row: { email: 'c@d.example', name: 'Cy', message: 'x' } },
    ])
  })

  test('byte order mark, CRLF, blank lines, other columns in another order, no last line break', async () => {
    const text =
      '\ufeffMessage,age,Name , EMAIL\r\n\r\n"hi\r\nyou",4,Ann, a@b.example \r\n   \r\nyo,5,Bo,b@b.example'
    expect(await read(text)).toMatchObject([
      { line: 3, row: { email: 'a@b.example', name: 'Ann', message: 'hi\r\nyou' } },
      { line: 6, row: { email: 'b@b.example', name: 'Bo', message: 'yo' } },
    ])
  })

  test('a header alone has no rows', async () => {
    expect(await read('email,name,message')).toEqual([])
  })

  test('bad rows are named by the line on which they begin, and spoil no other', async () => {
    const lines = [
      'a@b.example,Ann,"two\nlines"',
      'a@b.example,Ann',
      'a@b.example,Ann,eggs, milk',
      'not an address,Ann,x',
      'a@b.example,,x',
      'a@b.example,Ann,"  "',
      'a@b.example,Ann,x\0y',
      `a@b.example,Ann,${'x'.repeat(10_001)}`,
      `${'語'.repeat(200)}@b.example,Ann,x`,
      'a@b.example,Ann,last',
    ]
    expect(await outline(HEADER + lines.join('\n'))).toEqual([
      2,
      '4: 3 columns expected, 2 found',
      '5: 3 columns expected, 4 found',
      '6: not an e-mail address: not an address',
      '7: no name',
      '8: no message',
      '9: it holds a NUL character',
      '10: the message has more than 10000 characters',
      `11: not an e-mail address: ${'語'.repeat(40)}...`,
      12,
    ])
  })

  test('broken quotes cost their own line only', async () => {
    const rows = ['a@b.example,A "x",1', 'a@b.example,A,2', 'a@b.example,"A"x,3', '', 'a@b.example,A,4']
    expect(await outline(HEADER + rows.join('\n'))).toEqual([
      '2: its quotes do not pair up',
      3,
      '4: its quotes do not pair up',
      6,
    ])
  })

  test('a quote that is never closed costs its own line only', async () => {
    const rows = [
      'a@b.example,A,1',
      'a@b.example,A,"2',
      'a@b.example,A,3',
      'a@b.example,"A\nA",4',
      'a@b.example,A,5',
    ]
    expect(await outline(HEADER + rows.join('\n'))).toEqual([2, '3: its quotes do not pair up', 4, 5, 7])
    expect(await outline(`${HEADER}a@b.example,A,1\na@b.example,A,"2`)).toEqual([
      2,
      '3: its quotes do not pair up',
    ])
  })

  test('a row above 1 MB is named', async () => {
    const huge = `a@b.example,A,${'x'.repeat(2 * 1024 * 1024)}`
    expect(await outline(`${HEADER}${huge}\na@b.example,A,2\n`)).toEqual([
      '2: the row is larger than 1 MB',
      3,
    ])
  })

  test('bytes that are not UTF-8', async () => {
    expect(await outline(Buffer.from(`${HEADER}a@b.example,Jürgen,x\n`, 'latin1'))).toEqual([
      '2: it is not UTF-8 text',
    ])
  })
})

test('any rows come back as they were, each with its line', async () => {
  const text = string({ unit: constantFrom('a', 'é', '😀', ',', '"', '\n', '\r\n', ' '), maxLength: 8 })
  const rowOf = record({ name: text, message: text, ending: constantFrom('\n', '\r\n', '\n\n') })
  await assert(
    asyncProperty(array(rowOf, { maxLength: 12 }), async (rows) => {
      const quote = (field: string): string => `"${field.replaceAll('"', '""')}"`
      let content = HEADER
      const expected = rows.map(({ name, message, ending }) => {
        const line = content.split('\n').length
        content += `a@b.example,${quote(`x${name}x`)},${quote(`x${message}`)}${ending}`
        return { line, row: { email: 'a@b.example', name: `x${name}x`, message: `x${message}` } }
      })
      const found = await read(content)
      expect(found.map((row) => ({ line: row.line, row: 'row' in row ? row.row : row.problem }))).toEqual(
        expected,
      )
      expect(found.at(-1)?.endByte ?? 0).toBeLessThanOrEqual(Buffer.byteLength(content))
    }),
    { numRuns: 200 },
  )
})

describe('files that are refused', () => {
  const refused = (content: string | Uint8Array): Promise<unknown> =>
    openCsv(fileOf(content)).catch((error) => error)

  test.each([
    ['an empty file', ''],
    ['a missing column', 'email,name\na@b.example,Ann\n'],
    ['a column twice', 'email,name,name,message\n'],
    ['a broken header', 'email,na"me,message\n'],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x65, 0])],
  ])('%s', async (_, content) => {
    expect(await refused(content)).toMatchObject({ name: 'Refusal', exitCode: 2 })
  })

  test('no file, and a directory', async () => {
    await expect(openCsv(join(directory, 'none.csv'))).rejects.toMatchObject({ name: 'Refusal' })
    await expect(openCsv(directory)).rejects.toMatchObject({ name: 'Refusal' })
  })
})
