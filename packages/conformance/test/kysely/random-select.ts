import type { AnyBuilder, AnyDb, Grammar, Output, Source } from './grammar.ts'
import { condition } from './random-condition.ts'
import { newSource } from './random-source.ts'

/** What a query is needed for. */
export interface Wish {
  /** Queries around it, whose columns it may name. */
  readonly outer: readonly Source[]
  /** The types of its columns; any if not said. */
  readonly types?: readonly ('int' | 'text')[] | undefined
  /** Its first column is the key of one of its tables, and a filter on it outside may be all that pins it. */
  readonly pinnedOutside?: boolean
  readonly givesKey?: boolean
  /** It keeps all of its rows. */
  readonly isUncut?: boolean
  readonly depth: number
}

/** A query, and its columns. */
export interface Query {
  readonly builder: AnyBuilder
  readonly outputs: readonly Output[]
}

/** A random query. With a slack of 0 it is confined by construction to the grammar's shard. */
export function randomSelect(db: AnyDb, grammar: Grammar, wish: Wish): Query {
  const { dice } = grammar
  const first = newSource(db, grammar, { ...wish, mayBeReference: !wish.givesKey })
  const sources: Source[] = [first]
  let builder = db.selectFrom(first.from)
  const conditions: ((eb: AnyBuilder) => AnyBuilder)[] = []
  const rootPin = pinOf(grammar, first, wish)
  let pinInJoin: typeof rootPin = null
  const joins = wish.depth > 0 ? dice.below(3) : 0
  if (rootPin && joins > 0 && dice.chance(0.2)) pinInJoin = rootPin
  else if (rootPin) conditions.push(rootPin)
  for (let i = 0; i < joins; i++) {
    const [joined, pins] = join(db, grammar, builder, sources, wish, i === 0 ? pinInJoin : null)
    builder = joined
    conditions.push(...pins)
  }
  const extra = dice.below(3)
  for (let i = 0; i < extra; i++) {
    conditions.push((eb) =>
      condition(db, eb, grammar, sources, { ...wish, outer: [...wish.outer, ...sources] }),
    )
  }
  for (const make of conditions) builder = builder.where(make)
  return withOutputs(grammar, builder, sources, wish)
}

type Pin = ((eb: AnyBuilder) => AnyBuilder) | null

/** What pins the first table: a value, a list, a query around it; or nothing, where that is good or slack. */
function pinOf(grammar: Grammar, source: Source, { outer, pinnedOutside }: Wish): Pin {
  const { dice } = grammar
  if (source.key === null || source.isPinned || pinnedOutside || grammar.slips()) return null
  const around = outer.filter(({ key, isConfined }) => key !== null && isConfined)
  if (around.length > 0 && dice.chance(0.6)) {
    const other = dice.pick(around)
    source.isConfined = true
    return (eb) => eb(`${source.alias}.${source.key}`, '=', eb.ref(`${other.alias}.${other.key}`))
  }
  source.isConfined = true
  return pinByValue(grammar, source)
}

/** An equality with a value, a list, or an OR of them, on the grammar's shard unless it slips. */
export function pinByValue(grammar: Grammar, { alias, key }: Source): (eb: AnyBuilder) => AnyBuilder {
  const { dice } = grammar
  const name = `${alias}.${key}`
  const [a, b] = [grammar.key(), grammar.key()]
  switch (dice.below(5)) {
    case 0:
      return (eb) => eb(name, 'in', [a, b])
    case 1:
      return (eb) => eb.or([eb(name, '=', a), eb.and([eb(name, '=', b), eb(`${alias}.${key}`, '>', 0n)])])
    case 2:
      return (eb) => eb(eb.val(a), '=', eb.ref(name))
    default:
      return (eb) => eb(name, '=', a)
  }
}

/** Joins one more source; gives the builder, and what has to be said in WHERE. */
function join(
  db: AnyDb,
  grammar: Grammar,
  builder: AnyBuilder,
  sources: Source[],
  wish: Wish,
  pin: Pin,
): [AnyBuilder, ((eb: AnyBuilder) => AnyBuilder)[]] {
  const { dice } = grammar
  const kinds = pin ? ['innerJoin'] : ['innerJoin', 'innerJoin', 'leftJoin', ...grammar.joins]
  const kind = dice.pick(kinds)
  const next = newSource(db, grammar, { ...wish, depth: wish.depth - 1, mayBeReference: true })
  const before = sources.filter(({ key, isConfined }) => key !== null && (isConfined || wish.pinnedOutside))
  const pins: ((eb: AnyBuilder) => AnyBuilder)[] = []
  const on: ((eb: AnyBuilder) => AnyBuilder)[] = pin ? [pin] : []
  const isKept = kind === 'rightJoin' || kind === 'fullJoin'
  if (next.key !== null && !next.isPinned && !grammar.slips()) {
    next.isConfined = true
    if (isKept || before.length === 0 || dice.chance(0.2))
      (isKept ? pins : on).push(pinByValue(grammar, next))
    else on.push(sameKey(grammar, dice.pick(before), next))
  }
  if (on.length === 0 || dice.chance(0.3)) {
    on.push((eb) => condition(db, eb, grammar, [...sources, next], { outer: [], depth: 0 }))
  }
  sources.push(next)
  return [builder[kind](next.from, (jb: AnyBuilder) => on.reduce((all, make) => all.on(make), jb)), pins]
}

function sameKey({ dice }: Grammar, a: Source, b: Source): (eb: AnyBuilder) => AnyBuilder {
  const [left, right] = dice.chance(0.5) ? [a, b] : [b, a]
  return (eb) => eb(`${left.alias}.${left.key}`, '=', eb.ref(`${right.alias}.${right.key}`))
}

/** Adds the select list, and what counts, orders and cuts off rows. */
function withOutputs(grammar: Grammar, from: AnyBuilder, sources: readonly Source[], wish: Wish): Query {
  const { dice } = grammar
  const mayFold = !wish.types && !wish.pinnedOutside && dice.chance(0.2)
  const types =
    wish.types ?? Array.from({ length: 1 + dice.below(3) }, () => dice.pick(['int', 'text'] as const))
  const chosen = types.map((type, i) => columnFor(grammar, sources, type, i === 0 && wish.givesKey === true))
  const outputs = chosen.map(({ type, isKey }, i): Output => ({ name: `c${i}`, type, isKey }))
  let builder = from
  for (const [i, { path, isKey }] of chosen.entries()) {
    const spoils = isKey && grammar.slips()
    builder = builder.select((eb: AnyBuilder) =>
      (spoils ? eb(path, '+', eb.lit(1)) : eb.ref(path)).as(`c${i}`),
    )
  }
  if (mayFold) {
    const paths = [...new Set(chosen.map(({ path }) => path))]
    builder = builder.select((eb: AnyBuilder) => eb.fn.countAll().as('n')).groupBy(paths)
    outputs.push({ name: 'n', type: 'int', isKey: false })
  } else if (dice.chance(0.15)) builder = builder.distinct()
  return { builder: cut(grammar, builder, outputs, wish), outputs }
}

/** A column of a type; a key is the first source's, which every other source hangs on. */
function columnFor(
  { dice }: Grammar,
  sources: readonly Source[],
  type: 'int' | 'text',
  asKey: boolean,
): { path: string; type: 'int' | 'text'; isKey: boolean } {
  const [first] = sources as [Source]
  if (asKey && first.key !== null) return { path: `${first.alias}.${first.key}`, type: 'int', isKey: true }
  const columns = sources.flatMap(({ alias, columns: all }) =>
    all.map((column) => ({ path: `${alias}.${column.name}`, type: column.type, isKey: false })),
  )
  const fitting = columns.filter((column) => column.type === type)
  return fitting.length > 0 ? dice.pick(fitting) : dice.pick(columns)
}

/** The first few rows, in an order that leaves none to chance. */
function cut(grammar: Grammar, builder: AnyBuilder, outputs: readonly Output[], wish: Wish): AnyBuilder {
  const { dice } = grammar
  const mayCut = !wish.isUncut && (!wish.pinnedOutside || grammar.slips())
  if (!mayCut || !dice.chance(0.2)) return builder
  const ordered = outputs.reduce((all, { name }) => all.orderBy(name, dice.pick(['asc', 'desc'])), builder)
  const limited = ordered.limit(1 + dice.below(4))
  return dice.chance(0.3) ? limited.offset(dice.below(3)) : limited
}
