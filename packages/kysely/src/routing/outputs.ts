import { type AliasNode, is, type OperationNode, ReferenceNode, type SelectionNode } from '../tree.ts'
import { columnName, identifier, tableName } from './names.ts'
import type { Conditions } from './predicate.ts'
import type { Origin, Term } from './proof.ts'
import { bare } from './raw-text.ts'
import type { KeyColumns, Scope, Source } from './scope.ts'

/** One item of a select list. */
interface Item {
  /** Null where the engine makes the name up. */
  readonly name: string | null
  readonly node: OperationNode
}

/** Takes a select list apart; a `*` comes with the table that it is of. */
export function itemsOf(selections: readonly SelectionNode[]): (Item | { readonly star: string | null })[] {
  return selections.map(itemOf)
}

function itemOf(selection: SelectionNode): Item | { readonly star: string | null } {
  const node = bare(selection.selection)
  if (is<AliasNode>(node, 'AliasNode')) return { name: identifier(node.alias), node: bare(node.node) }
  if (node.kind === 'SelectAllNode') return { star: null }
  if (!ReferenceNode.is(node)) return { name: columnName(node), node }
  if (node.column.kind === 'SelectAllNode') return { star: node.table ? tableName(node.table) : null }
  return { name: columnName(node.column), node }
}

/** The columns of a select list, or of RETURNING, that hold keys. `wrap` gives a key column its place outside. */
export function outputsOf(
  selections: readonly SelectionNode[],
  scope: Scope,
  conditions: Conditions,
  wrap: (term: Term) => Term,
): KeyColumns {
  const items = itemsOf(selections)
  const plain = items.filter((item) => 'node' in item)
  const stars = items.filter((item) => 'star' in item)
  const [star] = stars
  const origins = plain.map(({ node }) => originOf(node, conditions, wrap))
  if (star === undefined) return { named: namesOf(plain, origins), listed: origins, star: null }
  const source = stars.length === 1 ? sourceOf(star.star, scope) : null
  if (!source || plain.some(({ name }) => name === null))
    return { named: new Map(), listed: null, star: null }
  const taken = new Set(plain.map(({ name }) => name?.toLowerCase()))
  const named = [...source.columns.named].filter(([name]) => !taken.has(name.toLowerCase()))
  const isWhole = plain.length === 0 && scope.sources.length === 1
  return {
    named: new Map(named.map(([name, term]) => [name, wrap(term)])),
    listed: null,
    star: isWhole ? source.columns.star : null,
  }
}

function originOf(node: OperationNode, conditions: Conditions, wrap: (term: Term) => Term): Origin | null {
  const term = conditions.termOf(node)
  if (term !== null) return [wrap(term)]
  const source = conditions.sourceOf(node)
  return source === null ? null : [source]
}

/** A name that is given twice, or could be, means neither column. */
function namesOf(items: readonly Item[], origins: readonly (Origin | null)[]): Map<string, Term> {
  const named = new Map<string, Term>()
  if (items.some(({ name }) => name === null)) return named
  const lower = items.map(({ name }) => (name as string).toLowerCase())
  for (const [i, { name }] of items.entries()) {
    const [term] = origins[i] ?? []
    const isOnly = lower.indexOf(lower[i] as string) === lower.lastIndexOf(lower[i] as string)
    if (isOnly && term && 'keyType' in term) named.set(name as string, term)
  }
  return named
}

/** What `*` or `alias.*` gives; null if it gives the columns of more than one. */
function sourceOf(alias: string | null, { sources }: Scope): Source | null {
  if (alias === null) return sources.length === 1 ? (sources[0] ?? null) : null
  return sources.find((source) => source.alias === alias) ?? null
}

/** The columns of queries put under one another; of a name, the first query decides. */
export function unionOf(arms: readonly KeyColumns[], wrap: (terms: readonly Term[]) => Term): KeyColumns {
  const [first] = arms
  if (!first) return { named: new Map(), listed: null, star: null }
  if (first.star !== null && arms.every(({ star }) => star === first.star)) {
    const named = [...first.named.keys()].map((name): [string, Term] => [
      name,
      wrap(arms.flatMap((arm) => arm.named.get(name) ?? [])),
    ])
    return { named: new Map(named), listed: null, star: first.star }
  }
  const { listed } = first
  if (!listed || arms.some((arm) => arm.listed?.length !== listed.length)) {
    return { named: new Map(), listed: null, star: null }
  }
  const columns = listed.map((_, i) =>
    joinOrigins(
      arms.map((arm) => arm.listed?.[i] ?? null),
      wrap,
    ),
  )
  const named = [...first.named].flatMap(([name, term]): [string, Term][] => {
    const [joined] = columns[listed.findIndex((origin) => origin?.[0] === term)] ?? []
    return joined && 'keyType' in joined ? [[name, joined]] : []
  })
  return { named: new Map(named), listed: columns, star: null }
}

/** One column for those at the same place; with a value in one of them it stays a list of origins. */
function joinOrigins(
  origins: readonly (Origin | null)[],
  wrap: (terms: readonly Term[]) => Term,
): Origin | null {
  if (origins.includes(null)) return null
  const all = origins.flatMap((origin) => origin ?? [])
  const terms = all.filter((origin): origin is Term => 'keyType' in origin)
  return terms.length === all.length ? [wrap(terms)] : all
}
