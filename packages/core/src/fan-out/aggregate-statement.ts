import type { DialectName, Statement } from '../executor.ts'
import { spellingOf } from './spelling.ts'
import { besideName, columnOf, type Kinds, kindIn, ROWS, TYPES } from './statement.ts'

/** Which columns are grouped by and which are computed on. */
export interface Columns {
  readonly sum: readonly string[]
  readonly min: readonly string[]
  readonly max: readonly string[]
  readonly avg: readonly string[]
  readonly groupBy: readonly string[]
}

/** The columns whose order or equality decides. */
export function typedColumns({ groupBy, min, max }: Columns): readonly string[] {
  return [...new Set([...groupBy, ...min, ...max])]
}

/**
 * A shard's part of the figures: `g0`, `g1`, ... for the groups, `c` for the count, `sum0`, `min0`, `max0`,
 * `avg0`, ... in the order of the columns, and `m0`, `n0`, ... for the values that were summed and averaged.
 */
export function aggregateStatement(
  statement: Statement,
  dialect: DialectName,
  columns: Columns,
  kinds: Kinds,
): Statement {
  const { quote, types } = spellingOf(dialect)
  const name = (column: string): string => columnOf(dialect, column)
  const extremes = (fn: 'min' | 'max'): string[] =>
    columns[fn].map((column, i) => `${kindIn(kinds, column).extreme(fn, name(column))} as ${fn}${i}`)
  const typed = typedColumns(columns).map(name)
  const selected = [
    ...columns.groupBy.flatMap((column, i) => groupColumns(dialect, column, i, kinds)),
    'count(*) as c',
    ...columns.sum.flatMap((column, i) => sumOf(name(column), `sum${i}`, `m${i}`)),
    ...extremes('min'),
    ...extremes('max'),
    ...columns.avg.flatMap((column, i) => sumOf(name(column), `avg${i}`, `n${i}`)),
    ...(types !== null && typed.length > 0 ? [`min(${types(typed)}) as ${quote(TYPES)}`] : []),
  ]
  const keys = columns.groupBy.map((column) => kindIn(kinds, column).key(name(column)))
  const groupBy = keys.length === 0 ? '' : ` group by ${keys.join(', ')}`
  return {
    sql: `select ${selected.join(', ')} from (${statement.sql}\n) as ${ROWS}${groupBy}`,
    parameters: statement.parameters,
  }
}

function sumOf(column: string, sum: string, count: string): string[] {
  return [`sum(${column}) as ${sum}`, `count(${column}) as ${count}`]
}

function groupColumns(dialect: DialectName, column: string, i: number, kinds: Kinds): string[] {
  const kind = kindIn(kinds, column)
  const member = `${kind.member(columnOf(dialect, column))}`
  const beside = kind.beside?.(member)
  const named = beside === undefined ? [] : [`${beside} as ${spellingOf(dialect).quote(besideName(i))}`]
  return [`${member} as g${i}`, ...named]
}
