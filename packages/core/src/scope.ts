import { AsyncLocalStorage } from 'node:async_hooks'
import { TransactionBusyError } from './errors.ts'

/** A transaction that the running code is inside of; `owner` is the executor that began it. */
interface Scope {
  readonly owner: object
  readonly outer: Scope | undefined
  ended: boolean
}

const INSIDE = 'use the executor that the transaction hands to its callback'

const scopes = new AsyncLocalStorage<Scope>()

/**
 * Refuses a call on `owner` from inside a transaction that `owner` itself began: it would wait for
 * that transaction, which waits for the call.
 * @throws TransactionBusyError
 */
export function refuseInside(owner: object): void {
  for (let scope = scopes.getStore(); scope !== undefined; scope = scope.outer) {
    if (scope.owner === owner && !scope.ended) throw new TransactionBusyError(INSIDE)
  }
}

/** Runs `work` as the inside of a transaction begun by `owner`. */
export async function runInside<T>(owner: object, work: () => Promise<T>): Promise<T> {
  const scope: Scope = { owner, outer: scopes.getStore(), ended: false }
  try {
    return await scopes.run(scope, work)
  } finally {
    scope.ended = true
  }
}

/**
 * Makes the rest of the running function, and all that it goes on to call and await, the inside of a transaction;
 * for one whose work is run by somebody else. The function that is given ends it.
 */
export function enterInside(owner: object): () => void {
  const scope: Scope = { owner, outer: scopes.getStore(), ended: false }
  scopes.enterWith(scope)
  return () => {
    scope.ended = true
  }
}

/** The owners of the open transactions that the running code is inside of, from the innermost outward. */
export function* ownersOutside(): Generator<object> {
  for (let scope = scopes.getStore(); scope !== undefined; scope = scope.outer) {
    if (!scope.ended) yield scope.owner
  }
}
