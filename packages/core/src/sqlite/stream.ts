import { InvalidArgumentError, isShardError } from '../errors.ts'
import type { Statement } from '../executor.ts'
import type { Column, PreparedStatements } from './prepared.ts'

/** Rows read at a time. */
const PAGE_ROWS = 500

/** Runs `work` when nobody else is inside a transaction on the connection. */
export type Alone = <T>(work: () => T) => Promise<T>

/**
 * Reads a statement's rows in pages. An open cursor would refuse every writer on the connection, so
 * the rows are copied once, into a temporary table, as they stand when the first is asked for.
 * `free` drops that table, also when the caller's signal has ended the reading.
 */
export async function* streamRows<Row>(
  statements: PreparedStatements,
  statement: Statement,
  { read, free }: { read: Alone; free: Alone },
): AsyncGenerator<Row> {
  const source = await read(() => statements.describe(statement.sql))
  if (!source.readonly || !/^\s*(select|with|values)\b/i.test(statement.sql)) {
    // The rows of a write or a pragma cannot be copied from; they are in memory already.
    yield* (await read(() => statements.run<Row>(statement))).rows
    return
  }
  const table = await read(() => copyRows(statements, statement))
  try {
    // The copy has read the schema; before, its columns may have had other types.
    const { columns } = await read(() => statements.describe(statement.sql))
    const page = await read(() => pageOf(statements, table, columns))
    for (let after = 0; ; after += PAGE_ROWS) {
      const { rows } = await read(() => statements.run<Row>({ sql: page, parameters: [after] }, columns))
      yield* rows
      if (rows.length < PAGE_ROWS) return
    }
  } finally {
    await free(() => drop(statements, table)).catch(ignoreClosed)
  }
}

function copyRows(statements: PreparedStatements, { sql, parameters }: Statement): string {
  const table = statements.temporaryName()
  statements.run({ sql: `create temp table ${table} as ${sql}`, parameters })
  return table
}

/** The columns by position, under their first names: the copy renames the second of two that are alike. */
function pageOf(statements: PreparedStatements, table: string, columns: readonly Column[]): string {
  const copied = statements.describe(`select * from temp.${table}`).columns
  const taken = new Set(copied.map(({ name }) => name.toLowerCase()))
  // A column may be named as the row's own number is.
  const rowid = ['rowid', '_rowid_', 'oid'].find((name) => !taken.has(name))
  if (!rowid) throw new InvalidArgumentError('a stream cannot have columns rowid, _rowid_ and oid together')
  const list = columns.map(({ name }, i) => `${quote(copied[i]?.name ?? name)} as ${quote(name)}`).join(', ')
  return `select ${list} from temp.${table} where ${rowid} > ? order by ${rowid} limit ${PAGE_ROWS}`
}

function drop(statements: PreparedStatements, table: string): void {
  statements.run({ sql: `drop table if exists temp.${table}`, parameters: [] })
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A closed connection has dropped its temporary tables by itself, a rolled-back transaction its own. */
function ignoreClosed(error: unknown): void {
  if (!isShardError(error, 'CLOSED') && !isShardError(error, 'QUERY_FAILED')) throw error
}
