import { QueryFailedError } from '../driver-errors.ts'
import { InvalidArgumentError, isShardError } from '../errors.ts'
import type { DialectName, Executor, Statement, StatementSource } from '../executor.ts'
import type { ShardId } from '../id.ts'
import { statementFor } from '../statement.ts'
import { type Answer, askShard, type Patience, type ShardFailure } from './ask.ts'
import type { ColumnType } from './compare.ts'
import { type Memory, memoryOf } from './memory.ts'
import type { Key } from './order.ts'
import { spellingOf } from './spelling.ts'
import { columnOf, type Kinds, kindIn, ROWS, TYPES } from './statement.ts'

/** A shard's rows as they came, and the kinds that its columns were taken for. */
export interface Answered<Row> {
  readonly shard: ShardId
  readonly rows: readonly Row[]
  readonly dialect: DialectName
  readonly kinds: Kinds
}

/** A question about typed columns. */
export interface Question {
  build(statement: Statement, dialect: DialectName, kinds: Kinds): Statement
  /** What the rows must come after, a value per column; null for a question about all rows. */
  readonly after: Key | null
}

/** Types that change faster than they can be asked for are a failure. */
const MAX_ATTEMPTS = 5

/**
 * Asks shards about columns whose types it knows. They are read once per statement and then only remembered:
 * each answer says of which types it is, so that one that has changed, or differs on a shard, is noticed.
 */
export class ColumnTypes {
  readonly #executor: Executor
  readonly #source: StatementSource
  readonly #said: ReadonlyMap<string, ColumnType | null>
  readonly #memory: Memory
  readonly #learning = new Map<DialectName, Promise<string>>()
  readonly #made = new Map<DialectName, { readonly types: string; readonly kinds: Kinds }>()
  /** The types on shards that are not as the others. */
  readonly #own = new Map<ShardId, string>()

  constructor(executor: Executor, source: StatementSource, said: ReadonlyMap<string, ColumnType | null>) {
    this.#executor = executor
    this.#source = source
    this.#said = said
    this.#memory = memoryOf(executor)
  }

  /** Never rejects: what goes wrong is the shard's answer. */
  async ask<Row>(
    shard: ShardId,
    patience: Patience,
    question: Question,
  ): Promise<Answered<Row> | ShardFailure> {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await this.#attempt<Row>(
          { shard, patience, dialect: this.#dialectOf(shard) },
          question,
        )
        if (answer !== null) return answer
        if (attempt < MAX_ATTEMPTS) continue
        throw new QueryFailedError(new Error('the types of the columns keep changing'))
      } catch (error) {
        if (!(error instanceof OtherDialect)) return { shard, error }
      }
    }
  }

  /** Gives null when what it took for granted is not so, and is to be tried again. */
  async #attempt<Row>(
    place: Place,
    { build, after }: Question,
  ): Promise<Answered<Row> | ShardFailure | null> {
    const isKnown = this.#known(place) !== null
    const types = this.#known(place) ?? (await this.#learn(place))
    const known = this.#kinds(place.dialect, types)
    const kinds = after === null ? known : await this.#proven(place, known, after)
    const answer = await this.#send<Row & Record<string, unknown>>(place, (statement) =>
      build(statement, place.dialect, kinds),
    )
    const said = this.#isTyped(place.dialect) ? await this.#typesSaid(place, answer, isKnown, after) : null
    if (said !== null && said !== types) {
      this.#own.set(place.shard, said)
      this.#memory.setTypes(this.#key(place.dialect), said)
      return null
    }
    return 'error' in answer ? answer : { ...answer, dialect: place.dialect, kinds }
  }

  /** The types of which an answer says it is; null if it cannot be of others than were asked for. */
  async #typesSaid(
    place: Place,
    answer: Answer<Record<string, unknown>>,
    isKnown: boolean,
    after: Key | null,
  ): Promise<string | null> {
    if ('error' in answer) {
      const isDoubtful = isKnown && isShardError(answer.error, 'QUERY_FAILED')
      return isDoubtful ? this.#askTypes(place).catch(() => null) : null
    }
    const row = answer.rows[0]
    if (row) return row[TYPES] as string | null
    return spellingOf(place.dialect).comparesAll && isKnown && after !== null ? this.#askTypes(place) : null
  }

  #dialectOf(shard: ShardId): DialectName {
    return this.#memory.dialectOf(shard) ?? this.#executor.dialect
  }

  /** Must types be read for this question? */
  #isTyped(dialect: DialectName): boolean {
    return this.#said.size > 0 && spellingOf(dialect).types !== null
  }

  #key(dialect: DialectName): string {
    return JSON.stringify([dialect, [...this.#said.keys()], statementFor(this.#source, dialect).sql])
  }

  #known({ shard, dialect }: Place): string | null {
    if (!this.#isTyped(dialect)) return ''
    return this.#own.get(shard) ?? this.#memory.typesOf(this.#key(dialect))
  }

  /** One question at a time per engine, however many shards wait for the answer. */
  async #learn(place: Place): Promise<string> {
    const { dialect } = place
    const learning = this.#learning.get(dialect) ?? this.#askTypes(place)
    this.#learning.set(dialect, learning)
    try {
      const types = await learning
      this.#memory.setTypes(this.#key(dialect), types)
      return types
    } finally {
      this.#learning.delete(dialect)
    }
  }

  /** The types on a shard, from one row that is there without any row of the statement. */
  async #askTypes(place: Place): Promise<string> {
    const { dialect } = place
    const answer = await this.#send<{ types: string }>(place, ({ sql, parameters }) => {
      const list = spellingOf(dialect).types?.([...this.#said.keys()].map((name) => columnOf(dialect, name)))
      const rows = `(${sql}\n) as ${ROWS}`
      return {
        sql: `select ${list} as types from (select 1 as one) as shard_one left join ${rows} on 1 = 0`,
        parameters,
      }
    })
    if ('error' in answer) throw answer.error
    return answer.rows[0]?.types ?? ''
  }

  /** @throws InvalidArgumentError for a type whose order cannot be known here */
  #kinds(dialect: DialectName, types: string): Kinds {
    const known = this.#made.get(dialect)
    if (known?.types === types) return known.kinds
    const kinds = spellingOf(dialect).kinds(types, [...this.#said.values()])
    const named = [...this.#said.keys()].map((column, i) => {
      const kind = kinds[i] ?? null
      if (kind !== null) return [column, kind] as const
      throw new InvalidArgumentError(
        `rows of many shards cannot be ordered by ${column}, of the types ${types}`,
      )
    })
    const made = new Map(named)
    this.#made.set(dialect, { types, kinds: made })
    return made
  }

  /** The kinds with which the columns can be compared with these values on this shard. */
  async #proven(place: Place, kinds: Kinds, after: Key): Promise<Kinds> {
    const proven = new Map(kinds)
    for (const [i, column] of [...this.#said.keys()].entries()) {
      const kind = kindIn(kinds, column)
      const value = after[i] ?? null
      const { sql } = statementFor(this.#source, place.dialect)
      const name = columnOf(place.dialect, column)
      const proof = value === null ? null : (kind.proof?.(sql, name, value) ?? null)
      if (proof !== null && !(await this.#holds(place, proof))) proven.set(column, kind.unproven ?? kind)
    }
    return proven
  }

  /** Is there a row that shows it? */
  async #holds(place: Place, condition: Statement): Promise<boolean> {
    const answer = await this.#send(place, ({ sql, parameters }) => ({
      sql: `select 1 as proof from (${sql}\n) as ${ROWS} where ${condition.sql} limit 1`,
      parameters: [...parameters, ...condition.parameters],
    }))
    if ('error' in answer) throw answer.error
    return answer.rows.length > 0
  }

  /** @throws OtherDialect if the shard is on another engine than was thought */
  async #send<Row>(
    { shard, dialect, patience }: Place,
    build: (statement: Statement) => Statement,
  ): Promise<Answer<Row>> {
    let other: DialectName | null = null
    const source: StatementSource = (actual) => {
      if (actual === dialect) return build(statementFor(this.#source, dialect))
      other = actual
      throw new OtherDialect()
    }
    const answer = await askShard<Row>(this.#executor, source, shard, patience)
    if (other === null) return answer
    this.#memory.setDialect(shard, other)
    throw new OtherDialect()
  }
}

/** Where a question goes. */
interface Place {
  readonly shard: ShardId
  readonly dialect: DialectName
  readonly patience: Patience
}

/** The engine of a shard is known only once it is asked. */
class OtherDialect extends Error {}
