import { Dice } from './dice.ts'
import { type AnyBuilder, type AnyDb, Grammar, type Source } from './grammar.ts'
import { randomSelect, type Wish } from './random-select.ts'
import { randomWrite } from './random-write.ts'

/** A statement, and what it is. */
export interface RandomStatement {
  readonly query: AnyBuilder
  /** True if it is confined by construction, so that it may not be refused. */
  readonly isConfined: boolean
  /** The table that it writes to; null if it only reads. */
  readonly writesTo: string | null
}

/** How the engines differ, as far as random statements go. */
export interface Features {
  readonly joins: readonly string[]
  readonly setOperations: readonly string[]
  readonly returning: boolean
  readonly onConflict: boolean
  readonly updateFrom: boolean
}

/** The statement of a seed. Half of the reads are confined by construction. */
export function randomStatement(db: AnyDb, seed: number, features: Features): RandomStatement {
  const dice = new Dice(seed)
  const isConfined = dice.chance(0.5)
  const grammar = new Grammar(dice, isConfined ? 0 : dice.pick([0.05, 0.15, 0.4]), features.joins)
  if (dice.chance(0.25)) return { isConfined: false, ...randomWrite(db, grammar, features) }
  return { query: randomRead(db, grammar, features), isConfined, writesTo: null }
}

function randomRead(db: AnyDb, grammar: Grammar, { setOperations }: Features): AnyBuilder {
  const { dice } = grammar
  const creator = dice.chance(0.25) ? withExpression(db, grammar) : db
  if (dice.chance(0.06)) return recursion(db, grammar)
  if (!dice.chance(0.2))
    return randomSelect(creator, grammar, { outer: [], depth: dice.pick([1, 1, 2]) }).builder
  const types = [dice.pick(['int', 'text'] as const), 'int' as const]
  const arm = (from: AnyDb): AnyBuilder => randomSelect(from, grammar, uncut(types)).builder
  const [first, second] = [arm(creator), arm(db)]
  return first[dice.pick(setOperations)](second)
}

/** Arms have no order of their own on some engines. */
function uncut(types: readonly ('int' | 'text')[]): Wish {
  return { outer: [], types, depth: 1, isUncut: true }
}

function withExpression(db: AnyDb, grammar: Grammar): AnyDb {
  const { builder, outputs } = randomSelect(db, grammar, {
    outer: [],
    types: ['int', 'text'],
    givesKey: true,
    depth: 1,
  })
  const alias = 'known'
  const key = outputs.find(({ isKey }) => isKey)?.name ?? null
  const source: Source = {
    alias,
    from: alias,
    columns: outputs,
    key,
    isPinned: true,
    isConfined: key !== null,
  }
  const creator = db.with(alias, () => builder)
  grammar.expressions.push(source)
  return creator
}

/** From message to message by their parents, in the same account or, with slack, in any. */
function recursion(db: AnyDb, grammar: Grammar): AnyBuilder {
  const byKey = !grammar.slips()
  const key = grammar.key()
  const start = db.selectFrom('messages as m').select(['m.account_id', 'm.id'])
  const pinned = grammar.slips() ? start : start.where('m.account_id', '=', key)
  const step = db
    .selectFrom('messages as n')
    .innerJoin('thread as t', (jb: AnyBuilder) => {
      const byParent = jb.onRef('n.parent_id', '=', 't.id')
      return byKey ? byParent.onRef('n.account_id', '=', 't.account_id') : byParent
    })
    .select([grammar.slips() ? 'n.id as account_id' : 'n.account_id', 'n.id'])
  return db
    .withRecursive('thread(account_id, id)', () => pinned.union(step))
    .selectFrom('thread')
    .select(['thread.account_id', 'thread.id'])
}
