import { checkSignal, type Statement } from '@shard/core'
import type { ColumnReading } from './column-reading.ts'

/** Rows read at a time by a stream. */
export const PAGE_ROWS = 500

/** How one session keeps the rows of a statement, as they stand, and gives them in pages. */
export interface Paging {
  keep(name: string, sql: string): string
  /** A statement over all that is kept, to learn its columns' names; null if they are the statement's own. */
  readonly kept: ((name: string) => string) | null
  page(name: string, columns: string, after: number, rows: number): string
  drop(name: string): string
}

/** What reading in pages needs of a session. Nothing is held between two calls. */
export interface PageReader<Row> {
  columnsOf(statement: Statement): Promise<readonly ColumnReading[] | null>
  run(statement: Statement): Promise<Record<string, unknown>[]>
  /** As `run`, whatever became of the caller's signal; never rejects. */
  free(statement: Statement): Promise<unknown>
  read(rows: Record<string, unknown>[], columns: readonly ColumnReading[] | null): readonly Row[]
}

/** Reads a statement's rows in pages from what the session keeps under `name`. */
export async function* readPages<Row>(
  paging: Paging,
  statement: Statement,
  name: string,
  reader: PageReader<Row>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Row> {
  const plain = (sql: string): Statement => ({ sql, parameters: [] })
  const columns = await reader.columnsOf(statement)
  await reader.run({ ...statement, sql: paging.keep(name, statement.sql) })
  try {
    const kept = paging.kept && columns ? await reader.columnsOf(plain(paging.kept(name))) : null
    const list = namesIn(kept, columns)
    for (let after = 0; ; after += PAGE_ROWS) {
      const rows = await reader.run(plain(paging.page(name, list, after, PAGE_ROWS)))
      for (const row of reader.read(rows, columns)) {
        checkSignal(signal)
        yield row
      }
      if (rows.length < PAGE_ROWS) return
    }
  } finally {
    await reader.free(plain(paging.drop(name)))
  }
}

/** The columns by position, under their first names: a copy renames the second of two that are alike. */
function namesIn(kept: readonly ColumnReading[] | null, columns: readonly ColumnReading[] | null): string {
  if (!kept || !columns) return '*'
  return columns.map(({ name }, i) => `${quote(kept[i]?.name ?? name)} as ${quote(name)}`).join(', ')
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
