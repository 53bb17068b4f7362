import type { AnyBuilder, AnyDb, Grammar, Source } from './grammar.ts'
import { condition } from './random-condition.ts'
import { pinByValue, randomSelect } from './random-select.ts'
import type { Features } from './random-statement.ts'
import { shardedTables, type Table } from './tables.ts'

/** A write, and where to. */
interface Write {
  readonly query: AnyBuilder
  readonly writesTo: string
}

/** A random INSERT, UPDATE or DELETE of a sharded table. */
export function randomWrite(db: AnyDb, grammar: Grammar, features: Features): Write {
  const { dice } = grammar
  const table = dice.pick(shardedTables)
  const make = dice.pick([insert, insert, update, update, remove])
  const query = make(db, grammar, table, features)
  const returns = features.returning && dice.chance(0.3)
  return { query: returns ? query.returning(`${table.name}.${keyOf(table)}`) : query, writesTo: table.name }
}

function keyOf(table: Table): string {
  return table.columns.find(({ isKey }) => isKey)?.name ?? ''
}

function randomRow({ dice }: Grammar, table: Table, key: bigint): Record<string, unknown> {
  return Object.fromEntries(
    table.columns.map(({ name, type, isKey }) => {
      if (isKey) return [name, key]
      if (name === 'id') return [name, BigInt(1 + dice.below(30))]
      return [
        name,
        dice.chance(0.1) ? null : type === 'int' ? BigInt(1 + dice.below(12)) : dice.pick(['a', 'b']),
      ]
    }),
  )
}

function insert(db: AnyDb, grammar: Grammar, table: Table, features: Features): AnyBuilder {
  const { dice } = grammar
  const into = db.insertInto(table.name)
  if (dice.chance(0.25)) return insertSelect(db, grammar, table, into)
  const rows = Array.from({ length: 1 + dice.below(3) }, () => randomRow(grammar, table, grammar.key()))
  const [first] = rows
  if (first && grammar.slips()) delete first[keyOf(table)]
  const values = into.values(rows)
  if (!features.onConflict || !dice.chance(0.4)) return values
  const target = grammar.slips() ? ['id'] : table.primaryKey.split(', ')
  const set = { [grammar.slips() ? keyOf(table) : other(table)]: null }
  return values.onConflict((oc: AnyBuilder) => {
    const at = grammar.slips() ? oc : oc.columns(target)
    return dice.chance(0.5) ? at.doNothing() : at.doUpdateSet(set)
  })
}

/** A column that is neither the key nor the id. */
function other(table: Table): string {
  return table.columns.find(({ isKey, name }) => !isKey && name !== 'id')?.name ?? ''
}

function insertSelect(db: AnyDb, grammar: Grammar, table: Table, into: AnyBuilder): AnyBuilder {
  const { builder } = randomSelect(db, grammar, {
    outer: [],
    types: ['int', 'int'],
    givesKey: true,
    depth: 1,
  })
  const names = table.name === 'accounts' ? ['id', 'plan_id'] : [keyOf(table), 'id']
  return into.columns(grammar.slips() ? [...names].reverse() : names).expression(builder)
}

function target(grammar: Grammar, table: Table): Source {
  return {
    alias: table.name,
    from: table.name,
    columns: table.columns,
    key: keyOf(table),
    isPinned: false,
    isConfined: !grammar.slips(),
  }
}

function update(db: AnyDb, grammar: Grammar, table: Table, features: Features): AnyBuilder {
  const { dice } = grammar
  const source = target(grammar, table)
  const column = grammar.slips() ? keyOf(table) : other(table)
  const isText = table.columns.find(({ name }) => name === column)?.type === 'text'
  let query = db.updateTable(table.name)
  const useFrom = features.updateFrom && dice.chance(0.3)
  if (useFrom) query = query.from('messages as f')
  query = query.set((eb: AnyBuilder) => ({ [column]: someValue(db, eb, grammar, source, isText) }))
  if (source.isConfined) query = query.where(pinByValue(grammar, source))
  if (useFrom && !grammar.slips())
    query = query.whereRef(`${table.name}.${keyOf(table)}`, '=', 'f.account_id')
  if (useFrom) query = query.whereRef('f.id', '=', `${table.name}.id`)
  return query.where((eb: AnyBuilder) => condition(db, eb, grammar, [source], { outer: [source], depth: 1 }))
}

function someValue(db: AnyDb, eb: AnyBuilder, grammar: Grammar, source: Source, isText: boolean): AnyBuilder {
  const { dice } = grammar
  if (isText) return eb.val(dice.pick(['a', 'b', 'x']))
  if (source.alias === 'messages' || !dice.chance(0.3)) return eb.val(BigInt(1 + dice.below(12)))
  const most = db.selectFrom('messages as w').select((e: AnyBuilder) => e.fn.max('w.id').as('most'))
  return grammar.slips() ? most : most.whereRef('w.account_id', '=', `${source.alias}.${source.key}`)
}

function remove(db: AnyDb, grammar: Grammar, table: Table): AnyBuilder {
  const source = target(grammar, table)
  const query = db.deleteFrom(table.name)
  const pinned = source.isConfined ? query.where(pinByValue(grammar, source)) : query
  const tight = pinned.where(`${table.name}.id`, 'in', [1n, BigInt(2 + grammar.dice.below(28))])
  return tight.where((eb: AnyBuilder) => condition(db, eb, grammar, [source], { outer: [source], depth: 1 }))
}
