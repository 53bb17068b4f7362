import { sql } from 'kysely'
import type { AnyBuilder, AnyDb, Grammar, Source } from './grammar.ts'
import { pinByValue, randomSelect, type Wish } from './random-select.ts'

/** What a condition may look at. */
type Surroundings = Pick<Wish, 'outer' | 'depth'>

const raws: readonly ((ref: AnyBuilder, value: number) => AnyBuilder)[] = [
  (ref, value) => sql`${ref} > ${sql.lit(value)}`,
  (ref, value) => sql`${ref} > ${sql.lit(value)} or ${ref} < 3`,
  (ref, value) => sql`${ref} = ${sql.lit(value)} or 1 = 1`,
  (ref) => sql`not ${ref} > 2 or ${ref} is null`,
  (ref, value) => sql`coalesce(${ref}, 0) <> ${sql.lit(value)}`,
]

/** A random condition on columns; what is in it never has to pin anything. */
export function condition(
  db: AnyDb,
  eb: AnyBuilder,
  grammar: Grammar,
  sources: readonly Source[],
  around: Surroundings,
): AnyBuilder {
  const { dice } = grammar
  const again = (): AnyBuilder => condition(db, eb, grammar, sources, { ...around, depth: around.depth - 1 })
  const kind = dice.below(around.depth > 0 ? 10 : 6)
  if (kind <= 3) return comparison(eb, grammar, sources)
  if (kind === 4) return raw(eb, grammar, sources)
  if (kind === 5) {
    const keyed = sources.filter(({ key }) => key !== null)
    return keyed.length > 0 && grammar.slips()
      ? pinByValue(grammar, dice.pick(keyed))(eb)
      : comparison(eb, grammar, sources)
  }
  if (kind === 6) return eb.or([again(), again()])
  if (kind === 7) return eb.not(again())
  const query = randomSelect(db, grammar, {
    outer: around.outer,
    types: ['int'],
    depth: around.depth - 1,
  }).builder
  if (kind === 8) return dice.chance(0.5) ? eb.exists(query) : eb.not(eb.exists(query))
  const column = columnOf(grammar, sources, 'int')
  return column ? eb(column, dice.pick(['in', 'not in']), query) : eb.exists(query)
}

function comparison(eb: AnyBuilder, grammar: Grammar, sources: readonly Source[]): AnyBuilder {
  const { dice } = grammar
  const type = dice.pick(['int', 'text'] as const)
  const column = columnOf(grammar, sources, type) ?? columnOf(grammar, sources, 'int')
  if (column === null) return eb(eb.lit(1), '=', eb.lit(1))
  if (type === 'text' && columnOf(grammar, sources, 'text') !== null) {
    return dice.chance(0.2)
      ? eb(column, 'is', null)
      : eb(column, dice.pick(['=', '<>', '<']), dice.pick(['a', 'b', 'ab']))
  }
  const other = columnOf(grammar, sources, 'int') as string
  switch (dice.below(5)) {
    case 0:
      return eb(column, 'is not', null)
    case 1:
      return eb(column, dice.pick(['=', '<', '>=']), eb.ref(other))
    case 2:
      return eb.between(column, BigInt(dice.below(4)), BigInt(4 + dice.below(8)))
    case 3:
      // A list pins a key, if the column is one: then it could be to another shard.
      return eb(column, grammar.slack > 0 ? 'in' : 'not in', [1n, BigInt(2 + dice.below(9))])
    default:
      return eb(column, dice.pick(['>', '<>', '<=']), BigInt(1 + dice.below(12)))
  }
}

function raw(eb: AnyBuilder, grammar: Grammar, sources: readonly Source[]): AnyBuilder {
  const column = columnOf(grammar, sources, 'int')
  if (column === null) return eb(eb.lit(1), '=', eb.lit(1))
  const fragment = grammar.dice.pick(raws)(sql.ref(column), 1 + grammar.dice.below(12))
  // Without parentheses, what stands beside an OR takes a part of it.
  return grammar.slips() ? fragment : eb.parens(fragment)
}

function columnOf({ dice }: Grammar, sources: readonly Source[], type: 'int' | 'text'): string | null {
  const all = sources.flatMap(({ alias, columns }) =>
    columns.filter((column) => column.type === type).map(({ name }) => `${alias}.${name}`),
  )
  return all.length === 0 ? null : dice.pick(all)
}
