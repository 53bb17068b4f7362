import {
  type CallOptions,
  ConnectionLostError,
  type Delay,
  type Executor,
  type Result,
  type StatementSource,
  delay as timerDelay,
} from '@shard/core'
import type { Fault, FaultPlan, FaultyCall } from './faults.ts'

/** An executor whose connections break as planned. */
export interface FaultyExecutor extends Executor {
  /** True from a `kill` on: every call is refused, not applied. */
  readonly isDead: boolean
  /** Ends that. */
  revive(): void
}

/**
 * Puts faults around an executor: each statement, and the begin and the commit of each transaction, asks `plan`.
 * Errors are those of a real connection, `CONNECTION_LOST`: not applied when the request is dropped, and inside a
 * transaction, which can then only be rolled back; unknown when the reply to a single statement or a commit is.
 */
export function faultyExecutor(
  executor: Executor,
  plan: FaultPlan,
  { delay = timerDelay }: { readonly delay?: Delay } = {},
): FaultyExecutor {
  const server = { isDead: false }
  const meet = meeting(plan, delay, server)
  const { dialect, family, int64, ephemeral } = executor
  return {
    ...{ dialect, family },
    ...(int64 === false ? { int64 } : {}),
    ...(ephemeral ? { ephemeral } : {}),
    ...statements(executor, meet, { isBroken: false, lost: 'unknown' }),
    transaction: (work, options) => transaction(executor, meet, work, options),
    shardIds: () => executor.shardIds(),
    ...(executor.checkConnections ? { checkConnections: (check) => executor.checkConnections?.(check) } : {}),
    close: () => executor.close(),
    [Symbol.asyncDispose]: () => executor.close(),
    get isDead() {
      return server.isDead
    },
    revive() {
      server.isDead = false
    },
  }
}

/** A connection as the caller sees it: what the loss of a reply means on it, and whether it is gone for good. */
interface Wire {
  isBroken: boolean
  readonly lost: 'unknown' | 'not-applied'
}

/** Lets the fault that is due happen to one call. */
type Meet = <T>(call: FaultyCall, run: () => Promise<T>, wire: Wire, signal?: AbortSignal) => Promise<T>

function meeting(plan: FaultPlan, delay: Delay, server: { isDead: boolean }): Meet {
  return async (call, run, wire, signal) => {
    if (server.isDead || wire.isBroken) throw lost('the connection is gone', 'not-applied')
    const fault: Fault = plan(call)
    if (fault === 'kill') server.isDead = true
    if (wire.lost === 'not-applied' && typeof fault === 'string' && fault !== 'none') wire.isBroken = true
    if (fault === 'kill' || fault === 'drop-request') throw lost(`${fault} of ${call.sql}`, 'not-applied')
    if (typeof fault === 'object') await delay(fault.delayMs, signal)
    if (fault !== 'drop-reply') return run()
    // Whatever the server said, nobody hears of it.
    await Promise.allSettled([run()])
    throw lost(`${fault} of ${call.sql}`, wire.lost)
  }
}

function statements(executor: Executor, meet: Meet, wire: Wire): Pick<Executor, 'execute' | 'stream'> {
  const call = (source: StatementSource, options: CallOptions = {}): FaultyCall => {
    const statement = typeof source === 'function' ? source(executor.dialect) : source
    return { kind: 'statement', sql: String(statement?.sql), route: options.route }
  }
  return {
    async execute<Row>(source: StatementSource, options?: CallOptions): Promise<Result<Row>> {
      const run = (): Promise<Result<Row>> => executor.execute<Row>(source, options)
      return meet(call(source, options), run, wire, options?.signal)
    },
    async *stream<Row>(source: StatementSource, options?: CallOptions): AsyncIterable<Row> {
      const rows = executor.stream<Row>(source, options)[Symbol.asyncIterator]()
      const run = (): Promise<IteratorResult<Row>> => rows.next()
      try {
        const first = await meet(call(source, options), run, wire, options?.signal)
        if (first.done) return
        yield first.value
        yield* { [Symbol.asyncIterator]: () => rows }
      } finally {
        await rows.return?.()
      }
    },
  }
}

async function transaction<T>(
  executor: Executor,
  meet: Meet,
  work: (tx: Executor) => Promise<T>,
  options: CallOptions = {},
): Promise<T> {
  const { route, signal } = options
  const wire: Wire = { isBroken: false, lost: 'not-applied' }
  await meet({ kind: 'begin', sql: 'begin', route }, async () => {}, wire, signal)
  let heard: Promise<unknown> = Promise.resolve()
  const result = executor.transaction(async (tx) => {
    const value = await work(inside(tx, meet, wire))
    const commit: FaultyCall = { kind: 'commit', sql: 'commit', route }
    // The fault of the commit is met before it: when the reply is dropped, it is told after it.
    heard = meet(commit, async () => {}, { isBroken: wire.isBroken, lost: 'unknown' }, signal)
    const [end] = await Promise.allSettled([heard])
    if (end.status === 'rejected' && end.reason.outcome === 'not-applied') throw end.reason
    return value
  }, options)
  const [end] = await Promise.allSettled([result])
  await heard
  if (end.status === 'rejected') throw end.reason
  return end.value
}

/** A transaction's executor, or a savepoint's: all on one wire. */
function inside(tx: Executor, meet: Meet, wire: Wire): Executor {
  return {
    dialect: tx.dialect,
    family: tx.family,
    ...statements(tx, meet, wire),
    transaction: (work, options) => tx.transaction((inner) => work(inside(inner, meet, wire)), options),
    shardIds: () => tx.shardIds(),
    close: () => tx.close(),
    [Symbol.asyncDispose]: () => tx.close(),
  }
}

function lost(what: string, outcome: 'unknown' | 'not-applied'): ConnectionLostError {
  return new ConnectionLostError(new Error(what), outcome)
}
