import {
  type CallOptions,
  type DialectName,
  type Executor,
  type Result,
  type StatementSource,
  statementFor,
} from '@shard/core'

type Row = Record<string, unknown>

/** A database in memory that understands the two tables of this package, and writes down the rest. */
export interface FakeDatabase {
  readonly executor: Executor
  /** What it was told beside reads and writes of the two tables, in order. */
  readonly log: string[]
  readonly ledger: Row[]
  readonly meta: Row[]
  /** The answer to the statement that locks the schema. */
  locked: number | null
  /** Thrown by statements that contain the text. */
  readonly failures: Map<string, unknown>
}

/** Each transaction is undone as a whole when its work fails. */
export function fakeDatabase(dialect: DialectName = 'sqlite'): FakeDatabase {
  const fake = { log: [] as string[], ledger: [] as Row[], meta: [] as Row[], locked: 1, failures: new Map() }
  const executor: Executor = {
    dialect,
    family: null,
    execute: async <R>(source: StatementSource) => {
      const { sql, parameters } = statementFor(source, dialect)
      for (const [text, error] of fake.failures) if (sql.includes(text)) throw error
      return { rows: answer(sql, parameters) as R[], affectedRows: 0n } satisfies Result<R>
    },
    // biome-ignore lint/correctness/useYield: nothing here is streamed
    stream: async function* () {
      throw new Error('not in these tests')
    },
    transaction: async <T>(work: (tx: Executor) => Promise<T>, _options?: CallOptions) => {
      const before = [fake.ledger.map((row) => ({ ...row })), [...fake.meta]] as const
      try {
        return await work(executor)
      } catch (error) {
        fake.ledger.splice(0, fake.ledger.length, ...before[0])
        fake.meta.splice(0, fake.meta.length, ...before[1])
        throw error
      }
    },
    shardIds: () => [],
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }
  function answer(sql: string, parameters: readonly unknown[]): Row[] {
    const plain = sql.replaceAll(/["`]/g, '')
    if (/^select \* from shard_schema/.test(plain))
      return fake.ledger.filter(({ name }) => name === parameters[0])
    if (/^select \* from shard_meta/.test(plain)) return fake.meta
    if (/^update shard_schema/.test(plain)) {
      const [name, step] = parameters
      for (const row of fake.ledger) if (row.name === name && row.step === step) row.applied_at_ms = 1n
      return []
    }
    if (/lock/.test(plain)) return [{ locked: fake.locked }]
    const insert = /^insert into (\w+) \(([^)]*)\)/.exec(plain)
    const table = { shard_schema: fake.ledger, shard_meta: fake.meta }[insert?.[1] ?? '']
    if (!insert || !table) fake.log.push(sql)
    else {
      const columns = (insert[2] as string).split(', ')
      table.push(Object.fromEntries(columns.map((column, i) => [column, parameters[i]])))
    }
    return []
  }
  return Object.assign(fake, { executor })
}
