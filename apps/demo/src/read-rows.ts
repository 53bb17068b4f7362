import { open } from 'node:fs/promises'
import { type CsvRecord, csvRecords, type Place } from './csv-records.ts'
import { oneLine } from './one-line.ts'
import { type PersonRow, problemOf } from './person-row.ts'
import { Refusal } from './refusal.ts'

/** A good row, or why the row that begins on this line is skipped. */
export type ReadRow = Place & ({ readonly row: PersonRow } | { readonly problem: string })

const COLUMNS = ['email', 'name', 'message'] as const

/** A CSV file whose columns are right. */
export interface CsvFile {
  readonly sizeBytes: number
  /** In the order of the file; blank lines are passed over. Read once. */
  readonly rows: AsyncIterable<ReadRow>
}

/**
 * Opens a CSV file. Its first row names the columns, in any order, others beside them.
 * @throws Refusal for a file that cannot be read, is not UTF-8 or lacks a column
 */
export async function openCsv(path: string): Promise<CsvFile> {
  const sizeBytes = await sizeOf(path)
  const records = csvRecords(path)
  const header = await records.next()
  if (header.done) throw new Refusal(`${path} is empty. ${expected}`)
  const take = rowTaker(path, 'fields' in header.value ? header.value.fields : [])
  return { sizeBytes, rows: rowsOf(records, take) }
}

const expected = `It needs a first line with the columns ${COLUMNS.join(',')}.`

type Taker = (fields: readonly string[]) => { row: PersonRow } | { problem: string }

async function* rowsOf(records: AsyncIterable<CsvRecord>, take: Taker): AsyncGenerator<ReadRow> {
  for await (const record of records) {
    if ('problem' in record) yield record
    else if (record.fields.length > 1 || record.fields[0]?.trim()) {
      yield { line: record.line, endByte: record.endByte, ...take(record.fields) }
    }
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    const file = await open(path)
    try {
      const stats = await file.stat()
      if (!stats.isFile()) throw new Refusal(`${path} is not a file.`)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0)
      if (bytesRead === 2 && ['fffe', 'feff'].includes(buffer.toString('hex')))
        throw new Refusal(`${path} is UTF-16 text. Save it as UTF-8.`)
      return stats.size
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    const { code, message } = error as NodeJS.ErrnoException
    throw new Refusal(code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read: ${message}`)
  }
}

function rowTaker(path: string, header: readonly string[]): Taker {
  const names = header.map((name) => name.trim().toLowerCase())
  const wrong = COLUMNS.filter((column) => names.filter((name) => name === column).length !== 1)
  if (wrong.length > 0) {
    const found = oneLine(names.join(','), 80)
    throw new Refusal(`${path} has no column ${wrong.join(', ')} or has it twice (${found}). ${expected}`)
  }
  const [email, name, message] = COLUMNS.map((column) => names.indexOf(column)) as [number, number, number]
  return (fields) => {
    if (fields.length !== names.length)
      return { problem: `${names.length} columns expected, ${fields.length} found` }
    const row = {
      email: fields[email]?.trim() ?? '',
      name: fields[name]?.trim() ?? '',
      message: fields[message] ?? '',
    }
    const problem = problemOf(row)
    return problem === null ? { row } : { problem }
  }
}
