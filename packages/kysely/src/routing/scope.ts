import type { Origin, Term } from './proof.ts'

/** What a sub-query, a table expression or a table gives: the columns that hold keys, by their names. */
export interface KeyColumns {
  /** The columns that are sure to hold keys under these names. */
  readonly named: ReadonlyMap<string, Term>
  /** Column by column, for what goes by position; null where that is not known. */
  readonly listed: readonly (Origin | null)[] | null
  /** The table, if the columns are all that it has, in its own order. */
  readonly star: string | null
}

/** Nothing is known of the columns. */
export const noColumns: KeyColumns = { named: new Map(), listed: null, star: null }

/** Something that a FROM clause names. */
export interface Source {
  readonly alias: string
  readonly columns: KeyColumns
}

/** A table expression of a WITH clause; null while it may not be named yet. */
export type TableExpression = KeyColumns | 'later'

/** Names differ by case: some engines take them for the same, others do not. */
export const sameButForCase = (a: string, b: string): boolean =>
  a !== b && a.toLowerCase() === b.toLowerCase()

/**
 * The names that can be used at one place of a statement; what is not found here is looked for further out.
 * A name that engines resolve differently resolves to nothing.
 */
export class Scope {
  readonly outer: Scope | null
  readonly sources: Source[] = []
  readonly expressions: Map<string, TableExpression> = new Map()
  /** Aliases of the same FROM that come later: a name that is theirs is nobody else's. */
  readonly reserved: Set<string> = new Set()

  constructor(outer: Scope | null) {
    this.outer = outer
  }

  /** The key column that a reference means; null if it means another column, or could mean two. */
  resolve(table: string | null, column: string): Term | null {
    if (table === null) {
      const [only, ...others] = this.sources
      return only && others.length === 0 ? (only.columns.named.get(column) ?? null) : null
    }
    const found = this.sources.find(({ alias }) => alias === table)
    if (found) return found.columns.named.get(column) ?? null
    if (this.reserved.has(table) || this.sources.some(({ alias }) => sameButForCase(alias, table)))
      return null
    return this.outer?.resolve(table, column) ?? null
  }

  /** The table expression of that name; undefined if a table is meant, 'unclear' if engines differ. */
  expression(name: string): KeyColumns | 'unclear' | undefined {
    const found = this.expressions.get(name)
    if (found === 'later') return 'unclear'
    if (found !== undefined) return found
    for (const other of this.expressions.keys()) if (sameButForCase(other, name)) return 'unclear'
    return this.outer?.expression(name)
  }
}
