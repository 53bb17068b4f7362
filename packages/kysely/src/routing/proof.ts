import type { KeyType } from '../tables.ts'

/** Where the values of a column come from: from key columns, from values of the statement, or from both. */
export type Origin = readonly (Term | KeySource)[]

/** A column of one occurrence of a table, or of a sub-query, whose values are keys. */
export interface Term {
  readonly keyType: KeyType
}

/** Where in a statement a key's value is: a parameter by its place, or a literal. */
export type KeySource = { readonly parameter: number } | { readonly literal: unknown }

/** What a table is to routing. */
export type TableKind = 'sharded' | 'global' | 'reference'

/** One place in a statement where a declared table is read or written. */
export interface Occurrence {
  readonly table: string
  readonly alias: string
  readonly kind: TableKind
  /** The column that has to be pinned; null if the table is not sharded. */
  readonly key: string | null
  readonly term: Term | null
}

/**
 * What has been read from a statement: which columns hold keys, which of them are pinned by a value, and from
 * which to which a pin passes. It grows while the tree is walked and is judged at the end.
 */
export class Proof {
  readonly occurrences: Occurrence[] = []
  readonly refusals: {
    readonly table: string | null
    readonly key: string | null
    readonly reason: string
  }[] = []
  readonly #pins = new Map<Term, KeySource[]>()
  readonly #passes = new Map<Term, Term[]>()
  readonly #meets: { readonly to: Term; readonly from: readonly Term[] }[] = []
  readonly #assumptions: { readonly term: Term; readonly needs: readonly (Origin | null | undefined)[] }[] =
    []
  readonly #filled = new Set<Term>()
  readonly #remarks = new Map<Term, string>()

  /** Says why the statement is not routed; the first reason is the one that is told. */
  refuse(reason: string, table: string | null = null, key: string | null = null): void {
    this.refusals.push({ table, key, reason })
  }

  /** The column equals one of these values, or its row does not matter. */
  pin(term: Term, sources: readonly KeySource[]): void {
    this.#pins.set(term, [...(this.#pins.get(term) ?? []), ...sources])
  }

  /** If `from` is confined to a shard, so is `to`. */
  pass(from: Term, to: Term): void {
    if (from.keyType === to.keyType) this.#passes.set(from, [...(this.#passes.get(from) ?? []), to])
  }

  /** If all of `from` are confined to one shard, so is `to`. */
  meet(from: readonly Term[], to: Term): void {
    this.#meets.push({ from, to })
  }

  /** The column may be taken for confined only if all that it is made of turns out to be. */
  assume(term: Term, needs: readonly (Origin | null | undefined)[]): void {
    this.#assumptions.push({ term, needs })
  }

  /** Outer joins put rows beside it that have none of its own: then it is null. */
  fill(terms: readonly Term[]): void {
    for (const term of terms) this.#filled.add(term)
  }

  isFilled(term: Term): boolean {
    return this.#filled.has(term)
  }

  /** What was seen of a column that did not help to pin it; the first remark is kept. */
  remark(term: Term, text: string): void {
    if (!this.#remarks.has(term)) this.#remarks.set(term, text)
  }

  remarkOn(term: Term): string | null {
    return this.#remarks.get(term) ?? null
  }

  /** Every value that pins a column: all of them have to live on one shard. */
  keys(): { readonly term: Term; readonly source: KeySource }[] {
    return [...this.#pins].flatMap(([term, sources]) => sources.map((source) => ({ term, source })))
  }

  /** The columns that are confined, starting from those that are pinned or from columns of the caller's choice. */
  confined(from: Iterable<Term> = this.#pins.keys()): ReadonlySet<Term> {
    const start = [...from]
    const refuted = new Set<Term>()
    for (;;) {
      const reached = this.#reached(start, refuted)
      const isGood = (origin: Origin | null | undefined): boolean =>
        origin?.every((part) => 'keyType' in part && reached.has(part)) ?? false
      const wrong = this.#assumptions.filter(({ term, needs }) => reached.has(term) && !needs.every(isGood))
      if (wrong.length === 0) return reached
      for (const { term } of wrong) refuted.add(term)
    }
  }

  #reached(start: readonly Term[], refuted: ReadonlySet<Term>): Set<Term> {
    const reached = new Set<Term>()
    const queue = [...start]
    for (let met: Term[] = queue; met.length > 0; ) {
      for (let term = queue.pop(); term !== undefined; term = queue.pop()) {
        if (reached.has(term) || refuted.has(term)) continue
        reached.add(term)
        queue.push(...(this.#passes.get(term) ?? []))
      }
      met = this.#meets
        .filter(({ from, to }) => !reached.has(to) && from.every((t) => reached.has(t)))
        .map(({ to }) => to)
      queue.push(...met)
    }
    return reached
  }
}
