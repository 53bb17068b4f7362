import type { Outcome, ShardError } from '@shard/core'
import type { Paging } from './paging.ts'

/** All that the executor asks of an engine; shared code reads a field and never the name. */
export interface Engine {
  /** What a driver's error means; `lost` if the error does not say whether the statement was applied. */
  meaning(error: unknown, lost: Outcome): ShardError
  /** A parameter as the engine's drivers take it. */
  encode(value: unknown): unknown
  /** A value as the executor promises it; null where drivers give it so. */
  readonly decode: ((value: unknown) => unknown) | null
  /** Why a statement may not run, by its plain words; null if it may. */
  refusal(words: string, insideTransaction: boolean): string | null
  /** True where a statement that fails leaves the transaction to a rollback, whole or to a savepoint. */
  readonly failureDooms: boolean
  /** How one session keeps the rows of a statement to give them in pages; null if they come at once. */
  readonly paging: Paging | null
}
