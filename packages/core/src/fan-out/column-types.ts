import { InvalidArgumentError } from '../errors.ts'
import type { DialectName, Executor, Statement, StatementSource } from '../executor.ts'
import type { ShardId } from '../id.ts'
import { statementFor } from '../statement.ts'
import { type Answer, askShard, type Patience } from './ask.ts'
import type { ColumnType } from './compare.ts'
import { spellingOf } from './spelling.ts'
import { ROWS } from './statement.ts'

/** The types of some of a statement's columns, by name. */
export type TypeOf = ReadonlyMap<string, ColumnType>

/** How many columns' types an executor's fan-outs remember. */
const MAX_KNOWN = 2_000

/** A cache that lives and dies with its executor; what it holds never changes for a given schema. */
const remembered = new WeakMap<Executor, Map<string, ColumnType>>()

/**
 * The types of the columns that a question orders or groups by: as the caller says, or as the first shard of
 * each engine that is asked says, once per statement.
 */
export class ColumnTypes {
  readonly #executor: Executor
  readonly #source: StatementSource
  readonly #said: TypeOf
  readonly #open: readonly string[]
  readonly #known: Map<string, ColumnType>
  readonly #learning = new Map<DialectName, Promise<void>>()

  constructor(executor: Executor, source: StatementSource, columns: ReadonlyMap<string, ColumnType | null>) {
    this.#executor = executor
    this.#source = source
    const types = [...columns]
    this.#said = new Map(types.flatMap(([column, type]) => (type === null ? [] : [[column, type] as const])))
    this.#open = types.flatMap(([column, type]) => (type === null ? [column] : []))
    this.#known = remembered.get(executor) ?? new Map()
    remembered.set(executor, this.#known)
  }

  /**
   * Asks one shard what `build` makes of the statement and the types of its columns on that shard's engine.
   * Never rejects: what goes wrong is the shard's answer.
   */
  async ask<Row>(
    shard: ShardId,
    patience: Patience,
    build: (statement: Statement, dialect: DialectName, typeOf: TypeOf) => Statement,
  ): Promise<Answer<Row>> {
    for (;;) {
      let untyped: DialectName | null = null
      const ask: StatementSource = (dialect) => {
        const statement = statementFor(this.#source, dialect)
        const typeOf = this.#typesOn(dialect, statement)
        if (typeOf) return build(statement, dialect, typeOf)
        untyped = dialect
        throw new Error('the types of the columns come first')
      }
      const answer = await askShard<Row>(this.#executor, ask, shard, patience)
      if (untyped === null) return answer
      try {
        await this.#learn(untyped, shard, patience)
      } catch (error) {
        return { shard, error }
      }
    }
  }

  /** For the merge: the types on all engines that were asked; a number on one of them is a number. */
  merged(): TypeOf {
    const types = new Map(this.#said)
    for (const dialect of this.#learning.keys()) this.#fold(types, dialect)
    this.#fold(types, this.#executor.dialect)
    return types
  }

  #fold(types: Map<string, ColumnType>, dialect: DialectName): void {
    const onDialect = this.#typesOn(dialect, statementFor(this.#source, dialect))
    for (const column of this.#open) {
      if (onDialect?.get(column) === 'other') types.set(column, 'other')
    }
  }

  #typesOn(dialect: DialectName, { sql }: Statement): TypeOf | null {
    const types = new Map(this.#said)
    for (const column of this.#open) {
      const type = this.#known.get(keyOf(dialect, sql, column))
      if (type === undefined) return null
      types.set(column, type)
    }
    return types
  }

  /** One question at a time per engine, however many shards wait for the answer. */
  #learn(dialect: DialectName, shard: ShardId, patience: Patience): Promise<void> {
    const learning = this.#learning.get(dialect) ?? this.#askTypes(dialect, shard, patience)
    this.#learning.set(dialect, learning)
    learning.catch(() => this.#learning.delete(dialect))
    return learning
  }

  async #askTypes(dialect: DialectName, shard: ShardId, patience: Patience): Promise<void> {
    const { typeOf, typeFrom } = spellingOf(dialect)
    const statement = statementFor(this.#source, dialect)
    const names = typeOf === null ? {} : await this.#askNames(dialect, statement, shard, patience)
    for (const [i, column] of this.#open.entries()) {
      const name = names[`t${i}`] ?? ''
      const type = typeFrom(name)
      if (type === null) {
        throw new InvalidArgumentError(`rows of many shards cannot be ordered by ${column}, of type ${name}`)
      }
      this.#known.set(keyOf(dialect, statement.sql, column), type)
    }
    while (this.#known.size > MAX_KNOWN) this.#known.delete(this.#known.keys().next().value as string)
  }

  async #askNames(
    dialect: DialectName,
    statement: Statement,
    shard: ShardId,
    patience: Patience,
  ): Promise<Record<string, string>> {
    const ask = (): Statement => typesStatement(statement, dialect, this.#open)
    const answer = await askShard<Record<string, string>>(this.#executor, ask, shard, patience)
    if ('error' in answer) throw answer.error
    return answer.rows[0] ?? {}
  }
}

function keyOf(dialect: DialectName, sql: string, column: string): string {
  return `${dialect}\n${column}\n${sql}`
}

/** One row with the name of each column's type, found without reading a row of the statement. */
function typesStatement(statement: Statement, dialect: DialectName, columns: readonly string[]): Statement {
  const { quote, typeOf } = spellingOf(dialect)
  const list = columns.map((column, i) => `${typeOf?.(`${ROWS}.${quote(column)}`)} as t${i}`).join(', ')
  const rows = `(${statement.sql}\n) as ${ROWS}`
  return {
    sql: `select ${list} from (select 1 as one) as shard_one left join ${rows} on 1 = 0`,
    parameters: statement.parameters,
  }
}
