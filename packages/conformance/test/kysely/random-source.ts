import type { AnyDb, Grammar, Source } from './grammar.ts'
import { randomSelect, type Wish } from './random-select.ts'
import { countries, shardedTables } from './tables.ts'

/** A table, or a query in FROM. */
export function newSource(db: AnyDb, grammar: Grammar, wish: Wish & { mayBeReference: boolean }): Source {
  const { dice } = grammar
  const alias = grammar.alias()
  if (wish.depth > 0 && dice.chance(0.25)) return queryInFrom(db, grammar, alias, wish)
  const known = grammar.expressions.length > 0 && dice.chance(0.4) ? dice.pick(grammar.expressions) : null
  if (known) return { ...known, alias, from: `${known.alias} as ${alias}`, isConfined: known.key !== null }
  const table = wish.mayBeReference && dice.chance(0.12) ? countries : dice.pick(shardedTables)
  const key = table.columns.find(({ isKey }) => isKey)?.name ?? null
  return {
    alias,
    from: `${table.name} as ${alias}`,
    columns: table.columns,
    key,
    isPinned: key === null,
    isConfined: false,
  }
}

/** A query that is pinned inside, or gives its key to be pinned outside. */
function queryInFrom(db: AnyDb, grammar: Grammar, alias: string, wish: Wish): Source {
  const pinnedOutside = grammar.dice.chance(0.4)
  const { builder, outputs } = randomSelect(db, grammar, {
    outer: [],
    types: ['int', grammar.dice.pick(['int', 'text'])],
    givesKey: true,
    pinnedOutside,
    depth: wish.depth - 1,
  })
  const key = outputs.find(({ isKey }) => isKey)?.name ?? null
  return {
    alias,
    from: builder.as(alias),
    columns: outputs,
    key,
    isPinned: !pinnedOutside,
    isConfined: !pinnedOutside,
  }
}
