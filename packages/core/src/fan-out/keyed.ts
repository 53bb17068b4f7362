import type { Answered } from './column-types.ts'
import type { Key, OrderTerm, Row } from './order.ts'
import { besideName, kindIn, TYPES } from './statement.ts'

/** A shard's rows, each with what decides its place. */
export interface Keyed<R> {
  readonly rows: readonly R[]
  /** @throws InvalidArgumentError for a value whose order cannot be known here */
  keyOf(index: number): Key
}

/** Takes from a shard's rows the columns that the caller did not ask for, and keeps what they say. */
export function keyedRows<R extends Row>(answer: Answered<R>, terms: readonly OrderTerm[]): Keyed<R> {
  const kinds = terms.map(({ column }) => kindIn(answer.kinds, column))
  const beside = takeBeside(
    answer.rows,
    kinds.map((kind) => kind.beside !== undefined),
  )
  return {
    rows: answer.rows,
    keyOf(index) {
      const row = answer.rows[index] as Row
      return kinds.map((kind, i) => {
        const value = row[terms[i]?.column as string] ?? null
        return value === null ? null : kind.read(value, beside?.[index]?.[i])
      })
    },
  }
}

/** The columns beside come last: to delete the last ones of a row is cheap. */
function takeBeside(rows: readonly Row[], taken: readonly boolean[]): readonly unknown[][] | null {
  const first = rows[0]
  if (first === undefined || !(TYPES in first)) return null
  return (rows as Record<string, unknown>[]).map((row) => {
    delete row[TYPES]
    const values: unknown[] = []
    for (let i = taken.length - 1; i >= 0; i--) {
      if (!taken[i]) continue
      values[i] = row[besideName(i)]
      delete row[besideName(i)]
    }
    return values
  })
}
