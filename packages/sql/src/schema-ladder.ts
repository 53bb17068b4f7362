import { BusyError, checkText, type Executor, hashKey, SchemaMismatchError } from '@shard/core'
import type { SqlDialect } from './dialect.ts'
import { dialectOf } from './dialects.ts'
import { queryBuilder, run } from './query-builder.ts'
import { textOf } from './text-of.ts'

/** The versions of one set of tables: step 1 makes them, each later step changes what is there. */
export interface SchemaLadder {
  /** Of this set of tables, such as `registry`. */
  readonly name: string
  /** Each step is a list of statements. A step that was released is never edited; add another. */
  readonly steps: readonly (readonly string[])[]
}

/** A row of `shard_schema`; the key is (name, step). */
export interface LedgerRow {
  readonly name: string
  readonly step: number
  readonly checksum: string
  /** 0 while the step runs, which others can see only where DDL commits by itself. */
  readonly applied_at_ms: bigint
}

/** A step to be run; `begun` if a run that died may have done a part of it. */
interface Step {
  readonly number: number
  readonly statements: readonly string[]
  readonly begun: boolean
}

/**
 * Brings the tables of a ladder to its last step under a lock: any number of processes may call it at once,
 * each step runs once, and a second call changes nothing. A database that is ahead of this code (a newer
 * version runs beside it) is left as it is.
 *
 * All is one transaction, but on MySQL, whose DDL commits by itself: there a step that was cut short is gone
 * through again by the next call, which passes over the tables, columns and indexes that it finds made. Let
 * rows be the last thing that a step writes. Called inside a transaction, it is a part of it, but on MySQL, where
 * it is refused.
 * @returns the numbers of the steps that this call ran, from 1
 * @throws InvalidArgumentError inside a transaction on MySQL
 * @throws SchemaMismatchError if a step on record is not the step in the code
 * @throws BusyError if another process holds the lock for a minute; retryable
 */
export async function applySchema(executor: Executor, ladder: SchemaLadder): Promise<readonly number[]> {
  checkText('the name of a schema', ladder.name, 63)
  const dialect = dialectOf(executor)
  return executor.transaction((tx) => underLock(tx, dialect, () => climb(tx, dialect, ladder)))
}

async function underLock<T>(tx: Executor, { ddl }: SqlDialect, work: () => Promise<T>): Promise<T> {
  if (ddl.lock !== null) {
    const { rows } = await tx.execute<{ locked: unknown }>({ sql: ddl.lock, parameters: [] })
    if (Number(rows[0]?.locked) !== 1)
      throw new BusyError(new Error('another process is changing the schema'))
  }
  const unlock = async (): Promise<void> => {
    if (ddl.unlock !== null) await tx.execute({ sql: ddl.unlock, parameters: [] })
  }
  let result: T
  try {
    result = await work()
  } catch (error) {
    // A connection that cannot free its lock has lost it.
    await unlock().catch(() => {})
    throw error
  }
  await unlock()
  return result
}

async function climb(tx: Executor, dialect: SqlDialect, ladder: SchemaLadder): Promise<number[]> {
  await tx.execute({ sql: ledgerTable(dialect), parameters: [] })
  const missing = await missingSteps(tx, dialect, ladder)
  for (const step of missing) {
    if (!step.begun) await recordBegun(tx, dialect, ladder, step)
    for (const sql of step.statements) await runOnce(tx, dialect, step, sql)
    await recordEnded(tx, dialect, ladder, step)
    // Others must find the step on record when the lock is free.
    if (dialect.ddl.commit !== null) await tx.execute({ sql: dialect.ddl.commit, parameters: [] })
  }
  return missing.map(({ number }) => number)
}

async function runOnce(tx: Executor, { ddl }: SqlDialect, { begun }: Step, sql: string): Promise<void> {
  try {
    await tx.execute({ sql, parameters: [] })
  } catch (error) {
    if (!begun || !ddl.isRepeated(error)) throw error
  }
}

/** The table that says which steps a database has. */
export function ledgerTable({ binaryText }: SqlDialect): string {
  return `create table if not exists shard_schema (
  name ${binaryText} not null,
  step integer not null,
  checksum ${binaryText} not null,
  applied_at_ms bigint not null,
  primary key (name, step)
)`
}

async function missingSteps(tx: Executor, dialect: SqlDialect, ladder: SchemaLadder): Promise<Step[]> {
  const ledger = queryBuilder<{ shard_schema: LedgerRow }>(dialect).selectFrom('shard_schema')
  const { rows } = await run(tx, ledger.selectAll().where('name', '=', ladder.name))
  const onRecord = new Map(rows.map((row) => [row.step, row]))
  return ladder.steps.flatMap((statements, i) => {
    const number = i + 1
    const row = onRecord.get(number)
    if (row && textOf(row.checksum) !== checksumOf(statements)) {
      throw new SchemaMismatchError(
        `step ${number} of ${ladder.name} was edited after this database applied it`,
      )
    }
    if (row && row.applied_at_ms > 0n) return []
    return [{ number, statements, begun: row !== undefined }]
  })
}

async function recordBegun(
  tx: Executor,
  dialect: SqlDialect,
  { name }: SchemaLadder,
  { number, statements }: Step,
): Promise<void> {
  const row = { name, step: number, checksum: checksumOf(statements), applied_at_ms: 0n }
  await run(tx, queryBuilder<{ shard_schema: LedgerRow }>(dialect).insertInto('shard_schema').values(row))
}

async function recordEnded(
  tx: Executor,
  dialect: SqlDialect,
  { name }: SchemaLadder,
  { number }: Step,
): Promise<void> {
  const query = queryBuilder<{ shard_schema: LedgerRow }>(dialect)
    .updateTable('shard_schema')
    .set({ applied_at_ms: dialect.nowMs })
    .where('name', '=', name)
    .where('step', '=', number)
  await run(tx, query)
}

/** Of a step, as it is kept in the ledger. */
export function checksumOf(statements: readonly string[]): string {
  return hashKey(statements.join(';\n')).toString(16)
}
