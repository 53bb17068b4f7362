import {
  type CallOptions,
  type DialectName,
  type Executor,
  type Result,
  type StatementSource,
  statementFor,
} from '@shard/core'
import { dialectOf } from './dialects.ts'
import { checkFence } from './fence-check.ts'
import { checkGrant, type Fencing } from './shard-fence.ts'
import { isRead, mayCommit } from './statement-kind.ts'

type Work<T> = (tx: Executor) => Promise<T>

/**
 * An executor on a shard's database that writes only while a grant is in force. Each transaction, and each
 * write outside one, begins with a locking read of the fence: a raise waits for it to commit, and what comes
 * after the raise is `FENCED`. So a deposed owner that was paused between its check and its write is stopped.
 *
 * A read outside a transaction is not checked: it may see what a new owner has since replaced. Read inside
 * `transaction` to be sure. On MySQL, a change of the schema commits by itself and so ends its own check early;
 * the fence is checked again before each statement that follows it in the transaction.
 * Closing it closes the executor that was given.
 * @throws FencedError (from each call) once the grant is no longer in force; not retryable, nothing was applied
 * @throws InvalidArgumentError if the grant has no positive token or no nonce
 */
export function fencedExecutor(executor: Executor, grant: Fencing): Executor {
  const { token, nonce } = checkGrant(grant)
  const { dialect } = executor
  const fenced = <T>(work: Work<T>, options: CallOptions = {}): Promise<T> =>
    executor.transaction(async (tx) => {
      const check = (on: Executor): Promise<void> =>
        checkFence(on, { token, nonce }, { signal: options.signal })
      await check(tx)
      return work(dialectOf(tx).ddl.commit === null ? tx : checkedAgain(tx, check))
    }, options)
  async function execute<Row>(source: StatementSource, options?: CallOptions): Promise<Result<Row>> {
    if (isRead(sqlOf(source, dialect))) return executor.execute<Row>(source, options)
    return fenced((tx) => tx.execute<Row>(source, { signal: options?.signal }), options)
  }
  return {
    ...traitsOf(executor),
    execute,
    async *stream<Row>(source: StatementSource, options?: CallOptions) {
      if (isRead(sqlOf(source, dialect))) yield* executor.stream<Row>(source, options)
      else yield* (await execute<Row>(source, options)).rows
    },
    transaction: async (work, options) => fenced(work, options),
    shardIds: () => executor.shardIds(),
    close: () => executor.close(),
    [Symbol.asyncDispose]: () => executor.close(),
  }
}

/** A transaction's executor that checks before every statement once one of them may have ended the lock. */
function checkedAgain(outer: Executor, check: (on: Executor) => Promise<void>): Executor {
  let mayBeFree = false
  const before = async (tx: Executor, source: StatementSource): Promise<void> => {
    const again = mayBeFree
    mayBeFree ||= mayCommit(sqlOf(source, tx.dialect))
    if (again) await check(tx)
  }
  const around = (tx: Executor): Executor => ({
    ...traitsOf(tx),
    async execute<Row>(source: StatementSource, options?: CallOptions) {
      await before(tx, source)
      return tx.execute<Row>(source, options)
    },
    async *stream<Row>(source: StatementSource, options?: CallOptions) {
      await before(tx, source)
      yield* tx.stream<Row>(source, options)
    },
    transaction<T>(work: Work<T>, options?: CallOptions) {
      return tx.transaction((inner) => work(around(inner)), options)
    },
    shardIds: () => tx.shardIds(),
    close: () => tx.close(),
    [Symbol.asyncDispose]: () => tx.close(),
  })
  return around(outer)
}

type Traits = Pick<Executor, 'dialect' | 'family' | 'int64' | 'ephemeral'>

function traitsOf({ dialect, family, int64, ephemeral }: Executor): Traits {
  return { dialect, family, ...(int64 === false && { int64 }), ...(ephemeral && { ephemeral }) }
}

function sqlOf(source: StatementSource, dialect: DialectName): string {
  return statementFor(source, dialect).sql
}
