import type { DialectName, Statement } from '../executor.ts'
import type { ColumnType } from './compare.ts'
import { spellingOf } from './spelling.ts'
import { ROWS } from './statement.ts'

/** Which columns are grouped by and which are computed on. */
export interface Columns {
  readonly sum: readonly string[]
  readonly min: readonly string[]
  readonly max: readonly string[]
  readonly avg: readonly string[]
  readonly groupBy: readonly string[]
}

/**
 * A shard's part of the figures: `g0`, `g1`, ... for the groups, `c` for the count, `sum0`, `min0`, `max0`,
 * `avg0`, ... in the order of the columns, and `n0`, ... for the values counted by an average.
 */
export function aggregateStatement(
  statement: Statement,
  dialect: DialectName,
  columns: Columns,
  typeOf: ReadonlyMap<string, ColumnType>,
): Statement {
  const spelling = spellingOf(dialect)
  const name = (column: string): string => `${ROWS}.${spelling.quote(column)}`
  const type = (column: string): ColumnType => typeOf.get(column) ?? 'text'
  const keys = columns.groupBy.map((column) => spelling.key(name(column), type(column)))
  const selected = [
    ...columns.groupBy.map((column, i) => `${spelling.member(name(column), type(column))} as g${i}`),
    'count(*) as c',
    ...columns.sum.map((column, i) => `sum(${name(column)}) as sum${i}`),
    ...columns.min.map((column, i) => `${spelling.extreme('min', name(column), type(column))} as min${i}`),
    ...columns.max.map((column, i) => `${spelling.extreme('max', name(column), type(column))} as max${i}`),
    ...columns.avg.flatMap((column, i) => [
      `sum(${name(column)}) as avg${i}`,
      `count(${name(column)}) as n${i}`,
    ]),
  ]
  const groupBy = keys.length === 0 ? '' : ` group by ${keys.join(', ')}`
  return {
    sql: `select ${selected.join(', ')} from (${statement.sql}\n) as ${ROWS}${groupBy}`,
    parameters: statement.parameters,
  }
}
