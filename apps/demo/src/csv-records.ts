import { createReadStream } from 'node:fs'
import { CsvError, type Parser, parse } from 'csv-parse'

/** Where a row stands: the line on which it begins, from 1, and the byte after its end. */
export interface Place {
  readonly line: number
  readonly endByte: number
}

/** A row as it stands in the file, or why it could not be taken apart. */
export type CsvRecord = Place & ({ readonly fields: readonly string[] } | { readonly problem: string })

/** A larger row is not a row: most likely a quote was never closed. */
const MAX_ROW_BYTES = 1024 * 1024

const LF = 10
const CR = 13

/** Where reading stands: the first byte and the line of what was not read yet. */
interface Position {
  offset: number
  line: number
}

/**
 * Reads the rows of a UTF-8 file in order, with bounded memory. A row with broken quotes is given as a
 * problem and skipped to the end of its line; reading goes on from there, so that it never takes the
 * rows after it along.
 */
export async function* csvRecords(path: string): AsyncGenerator<CsvRecord> {
  const position: Position = { offset: 0, line: 1 }
  for (;;) {
    try {
      yield* segment(path, position)
      return
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      const more = await skipLine(path, position)
      const problem =
        error.code === 'CSV_MAX_RECORD_SIZE' ? 'the row is larger than 1 MB' : 'its quotes do not pair up'
      yield { line: position.line - 1, endByte: position.offset, problem }
      if (!more) return
    }
  }
}

interface Taken {
  readonly fields: string[]
  readonly bytes: number
  readonly emptyLines: number
}

/** The rows from `position` on; moves it past each row that it gives. */
async function* segment(path: string, position: Position): AsyncGenerator<CsvRecord> {
  const start = position.offset
  const taken: Taken[] = []
  const parser = strictParser(taken, { bom: start === 0 })
  let emptyLines = 0
  const drain = function* (): Generator<CsvRecord> {
    for (const row of taken.splice(0)) {
      position.line += row.emptyLines - emptyLines
      emptyLines = row.emptyLines
      const { line } = position
      // Moved on before the row is handed out, so that no error finds the position behind it.
      position.line += 1 + row.fields.reduce((sum, field) => sum + lineBreaks(field), 0)
      position.offset = start + row.bytes
      yield { line, endByte: position.offset, fields: row.fields }
    }
  }
  try {
    for await (const chunk of createReadStream(path, { start })) {
      const failure = await settled((done) => parser.write(chunk, done))
      yield* drain()
      if (failure) throw failure
    }
    const failure = await settled((done) => parser.end(done))
    yield* drain()
    if (failure) throw failure
  } finally {
    parser.destroy()
  }
}

/**
 * A parser that hands its rows to `taken` as it meets them. Read through its own stream, the rows
 * before an error would be lost with it; and its own skipping of broken rows can lose the rows after.
 */
function strictParser(taken: Taken[], { bom }: { bom: boolean }): Parser {
  const parser = parse({
    bom,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_BYTES,
    on_record: (fields: string[], { bytes, empty_lines: emptyLines }) => {
      taken.push({ fields, bytes, emptyLines })
      return null
    },
  })
  // Each call reports its failure itself; without a listener the stream would also end the process.
  parser.on('error', () => {})
  return parser
}

/** What a stream's callback says: its error, or null. */
function settled(call: (done: (error?: Error | null) => void) => void): Promise<Error | null> {
  return new Promise((resolve) => call((error) => resolve(error ?? null)))
}

/** Moves past the next line that is not empty; false if the file ends with it. */
async function skipLine(path: string, position: Position): Promise<boolean> {
  let empty = true
  for await (const chunk of createReadStream(path, { start: position.offset })) {
    for (const byte of chunk as Buffer) {
      position.offset++
      if (byte === LF) position.line++
      else if (byte !== CR) empty = false
      if (byte === LF && !empty) return true
    }
  }
  position.line++
  return false
}

function lineBreaks(field: string): number {
  let breaks = 0
  for (let at = field.indexOf('\n'); at !== -1; at = field.indexOf('\n', at + 1)) breaks++
  return breaks
}
