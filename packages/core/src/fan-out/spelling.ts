import type { DialectName } from '../executor.ts'
import type { ColumnType } from './compare.ts'
import type { Kind } from './kind.ts'
import { mysql } from './mysql.ts'
import type { OrderTerm } from './order.ts'
import { postgres } from './postgres.ts'
import { sqlite } from './sqlite.ts'

/** How an engine spells an order that is the same everywhere: text by its UTF-8 bytes, no padding. */
export interface Spelling {
  quote(name: string): string
  placeholder(position: number): string
  /** A term of an ORDER BY, from a column and the key that it is sorted by. */
  order(key: string, term: OrderTerm, column: string): string
  /** An expression for the types of columns, true also of nulls; null where values carry their type. */
  readonly types: ((columns: readonly string[]) => string) | null
  /** True where a comparison of any two types has an answer: a wrong type then hides rows, and is no error. */
  readonly comparesAll?: true
  /** Reads what that gave; `said` is what the caller says of each column. Null: an order that is not known. */
  kinds(types: string, said: readonly (ColumnType | null)[]): readonly (Kind | null)[]
}

const spellings: Record<DialectName, Spelling> = { sqlite, postgres, mysql }

/** How an engine spells the parts of a fan-out. */
export function spellingOf(dialect: DialectName): Spelling {
  return spellings[dialect]
}

/** True if shards whose columns are typed are among those that answered. */
export function isTyped(answered: readonly { readonly dialect: DialectName }[]): boolean {
  return answered.some(({ dialect }) => spellings[dialect].types !== null)
}
