import { BusyError, checkText, type Executor, hashKey, SchemaMismatchError } from '@shard/core'
import type { SqlDialect } from './dialect.ts'
import { dialectOf } from './dialects.ts'
import { queryBuilder, run } from './query-builder.ts'

/** The versions of one set of tables: step 1 makes them, each later step changes what is there. */
export interface SchemaLadder {
  /** Of this set of tables, such as `registry`. */
  readonly name: string
  /** Each step is a list of statements. A step that was released is never edited; add another. */
  readonly steps: readonly (readonly string[])[]
}

interface LedgerRow {
  readonly name: string
  readonly step: number
  readonly checksum: string
  readonly applied_at_ms: bigint
}

/**
 * Brings the tables of a ladder to its last step, inside one transaction under a lock: any number of
 * processes may call it at once, each step runs once, and a second call changes nothing. A database
 * that is ahead of this code (a newer version runs beside it) is left as it is.
 * On MySQL a step that fails half-way leaves what its statements did, since DDL commits by itself.
 * @returns the numbers of the steps that this call ran, from 1
 * @throws SchemaMismatchError if a step on record is not the step in the code
 */
export async function applySchema(executor: Executor, ladder: SchemaLadder): Promise<readonly number[]> {
  checkText('the name of a schema', ladder.name, 63)
  const dialect = dialectOf(executor)
  return executor.transaction((tx) => underLock(tx, dialect, () => climb(tx, dialect, ladder)))
}

async function underLock<T>(tx: Executor, dialect: SqlDialect, work: () => Promise<T>): Promise<T> {
  const { lockSchema, unlockSchema } = dialect
  if (lockSchema !== null) {
    const { rows } = await tx.execute<{ locked: unknown }>({ sql: lockSchema, parameters: [] })
    if (Number(rows[0]?.locked) !== 1)
      throw new BusyError(new Error('another process is changing the schema'))
  }
  try {
    return await work()
  } finally {
    if (unlockSchema !== null) await tx.execute({ sql: unlockSchema, parameters: [] })
  }
}

async function climb(tx: Executor, dialect: SqlDialect, ladder: SchemaLadder): Promise<number[]> {
  const plain = (sql: string): Promise<unknown> => tx.execute({ sql, parameters: [] })
  await plain(ledgerTable(dialect))
  const missing = await missingSteps(tx, dialect, ladder)
  for (const step of missing) {
    for (const sql of ladder.steps[step - 1] ?? []) await plain(sql)
    await record(tx, dialect, ladder, step)
  }
  return missing
}

function ledgerTable({ binaryText }: SqlDialect): string {
  return `create table if not exists shard_schema (
  name ${binaryText} not null,
  step integer not null,
  checksum ${binaryText} not null,
  applied_at_ms bigint not null,
  primary key (name, step)
)`
}

async function missingSteps(tx: Executor, dialect: SqlDialect, ladder: SchemaLadder): Promise<number[]> {
  const ledger = queryBuilder<{ shard_schema: LedgerRow }>(dialect).selectFrom('shard_schema')
  const { rows } = await run(tx, ledger.selectAll().where('name', '=', ladder.name))
  const applied = new Map(rows.map(({ step, checksum }) => [step, checksum]))
  return ladder.steps.flatMap((statements, i) => {
    const onRecord = applied.get(i + 1)
    if (onRecord === undefined) return [i + 1]
    if (onRecord === checksumOf(statements)) return []
    throw new SchemaMismatchError(`step ${i + 1} of ${ladder.name} was edited after this database applied it`)
  })
}

async function record(tx: Executor, dialect: SqlDialect, ladder: SchemaLadder, step: number): Promise<void> {
  const row = {
    name: ladder.name,
    step,
    checksum: checksumOf(ladder.steps[step - 1] ?? []),
    applied_at_ms: dialect.nowMs,
  }
  await run(tx, queryBuilder<{ shard_schema: LedgerRow }>(dialect).insertInto('shard_schema').values(row))
}

function checksumOf(statements: readonly string[]): string {
  return hashKey(statements.join(';\n')).toString(16)
}
