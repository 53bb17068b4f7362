import { type CallOptions, type Executor, QueryFailedError } from '@shard/core'

/** Thrown inside of a transaction to make it roll back. */
const undo: unique symbol = Symbol('undo')

/** A transaction of an executor that stays open until it is told how to end. */
export interface HeldTransaction {
  readonly executor: Executor
  /** @throws what the executor's commit does */
  commit(): Promise<void>
  /** Never rejects. */
  rollback(): Promise<void>
}

/** Begins a transaction and keeps it open; on a transaction's executor it is a savepoint. */
export async function holdTransaction(
  owner: Pick<Executor, 'transaction'>,
  options: CallOptions,
): Promise<HeldTransaction> {
  let end: (how: typeof undo | null) => void = () => {}
  const told = new Promise<void>((resolve, reject) => {
    end = (how) => (how === null ? resolve() : reject(how))
  })
  told.catch(() => {})
  let ended: Promise<void> = told
  const executor = await new Promise<Executor>((resolve, reject) => {
    let begun = false
    ended = owner.transaction((tx) => {
      // What ran in the first attempt cannot be run again from here.
      if (begun)
        return Promise.reject(new QueryFailedError(new Error('the transaction could not be committed')))
      begun = true
      resolve(tx)
      return told
    }, options)
    ended.catch(reject)
  })
  return {
    executor,
    commit: () => {
      end(null)
      return ended
    },
    rollback: () => {
      end(undo)
      return ended.catch(() => {})
    },
  }
}
