import { expect, test } from 'vitest'
import { pgliteColumns } from '../src/pglite-columns.ts'

const INT8 = 20
const INT4 = 23
const fields = [
  { name: 'id', dataTypeID: INT8, tableID: 16_384 },
  { name: 'n', dataTypeID: INT4, tableID: 16_384 },
  { name: 'one', dataTypeID: INT4, tableID: 0 },
]

/** A PGlite that keeps its messages as text, and describes every statement alike. */
function fakePglite(fail = false) {
  const messages: string[] = []
  return {
    messages,
    waitReady: Promise.resolve(),
    runExclusive: <T>(work: () => Promise<T>) => work(),
    execProtocol: async (message: Uint8Array) => {
      messages.push(new TextDecoder('latin1').decode(message))
      if (fail && message[0] === 80) throw new Error('syntax error')
      return { messages: message[0] === 68 ? [{ name: 'rowDescription', fields }] : [] }
    },
  }
}

test('a column is a bigint by its type, and by having no table', async () => {
  const pglite = fakePglite()
  expect(await pgliteColumns(pglite)({ sql: 'select 1', parameters: [] })).toEqual([
    { name: 'id', integer: 'bigint' },
    { name: 'n', integer: null },
    { name: 'one', integer: 'bigint' },
  ])
  expect(pglite.messages).toEqual(['P\0\0\0\x10\0select 1\0\0\0', 'D\0\0\0\x06S\0', 'S\0\0\0\x04'])
})

test('after a statement that cannot be described the session is in order again', async () => {
  const pglite = fakePglite(true)
  await expect(pgliteColumns(pglite)({ sql: 'selec', parameters: [] })).rejects.toThrow('syntax error')
  expect(pglite.messages.at(-1)).toBe('S\0\0\0\x04')
})
