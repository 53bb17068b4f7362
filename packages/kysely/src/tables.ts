import { checkText, InvalidArgumentError } from '@shard/core'
import type { SelectType } from 'kysely'

/** How a shard key's values become routing keys: an id is one, a text is hashed. */
export type KeyType = 'id' | 'text'

/** A table whose rows are spread over the shards by the value of one column. */
export interface ShardedTable<Column extends string = string> {
  readonly shardKey: Column
  /**
   * `id` (the default): a bigint column. `text`: a column that compares by its bytes, without padding, since the
   * database's equality must not be wider than ours; it needs a locator that takes hashes.
   */
  readonly keyType?: KeyType
  /** True if every unique key of the table contains the shard key, so that a conflict is found on the row's shard. */
  readonly uniqueKeysContainShardKey?: boolean
}

/** `global`: in the global database alone. `reference`: the same rows in every database, read-only here. */
export type TableRule<Column extends string = string> = ShardedTable<Column> | 'global' | 'reference'

/** The columns that can hold keys of a type. */
type KeyColumn<Table, Values> = {
  [Column in keyof Table & string]: SelectType<Table[Column]> extends Values ? Column : never
}[keyof Table & string]

type IdTable<Column extends string> = ShardedTable<Column> & { readonly keyType?: 'id' }
type TextTable<Column extends string> = ShardedTable<Column> & { readonly keyType: 'text' }

/** What each table of a database is to routing. One that is left out cannot be used. */
export type ShardTables<DB> = {
  readonly [Table in keyof DB]?:
    | IdTable<KeyColumn<DB[Table], bigint | number>>
    | TextTable<KeyColumn<DB[Table], string>>
    | 'global'
    | 'reference'
}

/** A table's rule with nothing left to guess. */
export type CheckedRule =
  | { readonly kind: 'global' | 'reference' }
  | {
      readonly kind: 'sharded'
      readonly shardKey: string
      readonly keyType: KeyType
      readonly uniqueKeysContainShardKey: boolean
    }

/** The rules by table name. */
export type CheckedTables = ReadonlyMap<string, CheckedRule>

/** @throws InvalidArgumentError for a rule that is none, or names that differ by case only */
export function checkTables(tables: unknown): CheckedTables {
  if (typeof tables !== 'object' || tables === null)
    throw new InvalidArgumentError('tables says what each table is')
  const rules = Object.entries(tables).flatMap(([name, rule]): [string, CheckedRule][] =>
    rule === undefined ? [] : [[name, checkRule(name, rule)]],
  )
  const folded = new Set(rules.map(([name]) => name.toLowerCase()))
  if (folded.size < rules.length)
    throw new InvalidArgumentError('two tables differ by the case of their names only')
  return new Map(rules)
}

function checkRule(table: string, rule: unknown): CheckedRule {
  if (rule === 'global' || rule === 'reference') return { kind: rule }
  if (typeof rule !== 'object' || rule === null)
    throw new InvalidArgumentError(`table ${table} is { shardKey }, 'global' or 'reference'`)
  const { shardKey, keyType = 'id', uniqueKeysContainShardKey = false } = rule as Partial<ShardedTable>
  if (keyType !== 'id' && keyType !== 'text')
    throw new InvalidArgumentError(`the key type of ${table} is 'id' or 'text'`)
  if (typeof uniqueKeysContainShardKey !== 'boolean')
    throw new InvalidArgumentError(`uniqueKeysContainShardKey of ${table} is true or false`)
  checkText(`the shard key of ${table}`, shardKey, 255)
  return { kind: 'sharded', shardKey: shardKey as string, keyType, uniqueKeysContainShardKey }
}
