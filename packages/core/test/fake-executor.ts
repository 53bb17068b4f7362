import type { CallOptions, DialectName, Executor, Result, Statement } from '../src/executor.ts'
import { statementFor } from '../src/statement.ts'

/** A call that a fake executor was given. */
export interface FakeCall {
  readonly statement: Statement
  readonly options: CallOptions
}

/** An executor in memory, whose answers a test writes. */
export interface FakeExecutor extends Executor {
  readonly calls: FakeCall[]
  readonly closed: () => number
}

type Row = Record<string, unknown>

/** How a fake answers: with rows, or with an error that it throws. */
export type Answer = (call: FakeCall) => Promise<readonly Row[]> | readonly Row[]

/** Answers each statement with `answer`; its transactions run their work and nothing else. */
export function fakeExecutor(answer: Answer = () => [], dialect: DialectName = 'sqlite'): FakeExecutor {
  const calls: FakeCall[] = []
  let closed = 0
  const executor: FakeExecutor = {
    dialect,
    family: null,
    calls,
    closed: () => closed,
    async execute<R>(source: Parameters<Executor['execute']>[0], options: CallOptions = {}) {
      const call = { statement: statementFor(source, dialect), options }
      calls.push(call)
      const rows = await answer(call)
      return { rows: rows as readonly R[], affectedRows: 0n } satisfies Result<R>
    },
    async *stream<R>(source: Parameters<Executor['stream']>[0], options: CallOptions = {}) {
      yield* (await executor.execute<R>(source, options)).rows
    },
    transaction: (work) => work(executor),
    shardIds: () => [],
    close: async () => {
      closed++
    },
    [Symbol.asyncDispose]: () => executor.close(),
  }
  return executor
}
