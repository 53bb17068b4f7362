import { CrossShardTransactionError, type Executor, InvalidArgumentError, type Place } from '@shard/core'
import { type HeldTransaction, holdTransaction } from './held-transaction.ts'
import type { Task } from './task.ts'

/**
 * A transaction of Kysely's. It begins on a database with the first statement that says which, and takes no
 * statement for another one. Statements that any database can answer do not pin it.
 */
export class PinnedTransaction {
  readonly #executor: Executor
  /** The first statement of the transaction, such as one that sets its isolation. */
  readonly #first: string | null
  #place: Place | null = null
  #shadowPlace: Place | null = null
  #begun: Promise<void> | null = null
  readonly #levels: HeldTransaction[] = []
  /** Savepoints from the outermost inward; the transaction may not have begun yet. */
  readonly #savepoints: string[] = []

  constructor(executor: Executor, first: string | null) {
    this.#executor = executor
    this.#first = first
  }

  /**
   * The executor for a statement.
   * @throws CrossShardTransactionError if it goes to another database than the transaction
   */
  async executorFor(task: Task): Promise<Executor> {
    if (this.#place === null && task.freedom === 'loose') return this.#executor
    if (task.freedom === 'none' && this.#place !== null && this.#place !== task.place) {
      throw new CrossShardTransactionError(nameOf(this.#place), nameOf(task.place))
    }
    this.#place ??= task.place
    this.#watch(task.shadow)
    this.#begun ??= this.#begin(task)
    await this.#begun
    return this.#top().executor
  }

  /** Would a statement on this place of the executor wait for the transaction? */
  holds(executor: Executor, place: Place): boolean {
    return this.#executor === executor && this.#place === place
  }

  async commit(): Promise<void> {
    await this.#begun
    for (let level = this.#levels.pop(); level !== undefined; level = this.#levels.pop()) await level.commit()
  }

  async rollback(): Promise<void> {
    await this.#begun?.catch(() => {})
    for (let level = this.#levels.pop(); level !== undefined; level = this.#levels.pop())
      await level.rollback()
  }

  async savepoint(name: string): Promise<void> {
    this.#savepoints.push(name)
    if (this.#begun === null) return
    await this.#begun
    this.#levels.push(await holdTransaction(this.#top().executor, {}))
  }

  /** Undoes what came after the savepoint; it can be gone back to again. */
  async rollbackTo(name: string): Promise<void> {
    await this.#unwind(name, (level) => level.rollback())
    await this.savepoint(name)
  }

  async release(name: string): Promise<void> {
    await this.#unwind(name, (level) => level.commit())
  }

  async #unwind(name: string, end: (level: HeldTransaction) => Promise<void>): Promise<void> {
    const at = this.#savepoints.lastIndexOf(name)
    if (at === -1) throw new InvalidArgumentError(`the transaction has no savepoint ${name}`)
    await this.#begun
    while (this.#savepoints.length > at) {
      this.#savepoints.pop()
      const level = this.#begun === null ? undefined : this.#levels.pop()
      if (level) await end(level)
    }
  }

  #watch(shadow: Task['shadow']): void {
    if (!shadow || shadow.freedom === 'loose') return
    const pinned = this.#shadowPlace
    if (pinned !== null && shadow.freedom === 'none' && pinned !== shadow.place) shadow.crossing(pinned)
    this.#shadowPlace ??= shadow.place
  }

  async #begin({ route }: Task): Promise<void> {
    this.#levels.push(await holdTransaction(this.#executor, { route }))
    if (this.#first !== null) await this.#top().executor.execute({ sql: this.#first, parameters: [] })
    for (const _ of this.#savepoints) this.#levels.push(await holdTransaction(this.#top().executor, {}))
  }

  #top(): HeldTransaction {
    const level = this.#levels.at(-1)
    if (level === undefined) throw new InvalidArgumentError('the transaction is over')
    return level
  }
}

/** A place in words. */
export function nameOf(place: Place): string {
  return place === 'global' ? 'the global database' : `shard ${place}`
}
