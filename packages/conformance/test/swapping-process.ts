import type { Executor } from '@shard/core'
import { openDatabase } from './fresh-database.ts'
import { registryOn } from './registry-hosts.ts'

// A process that swaps the active shard, and stands still after some of its statements; swap-crash.test.ts kills it.

/** What a process is to do. */
export interface Swapping {
  readonly url: string
  readonly full: number
  readonly standby: number
  /** After so many it goes no further. */
  readonly statements: number
}

process.once('message', async ({ url, full, standby, statements }: Swapping) => {
  const executor = openDatabase(url, 1)
  let left = statements
  const execute = async (tx: Executor, args: Parameters<Executor['execute']>): Promise<unknown> => {
    if (left-- > 0) return tx.execute(...args)
    process.send?.('standing still')
    return new Promise(() => {})
  }
  const transaction: Executor['transaction'] = (work, options) =>
    executor.transaction((tx) => {
      const value = (...args: Parameters<Executor['execute']>) => execute(tx, args)
      return work(Object.create(tx, { dialect: { value: tx.dialect }, execute: { value } }))
    }, options)
  const slow = Object.create(executor, {
    dialect: { value: executor.dialect },
    transaction: { value: transaction },
  })
  await registryOn(slow).swapActive(full, standby, 1n)
})
process.send?.('ready')
