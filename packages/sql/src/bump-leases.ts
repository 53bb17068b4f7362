import { checkInteger, type Executor } from '@shard/core'
import { dialectOf } from './dialects.ts'
import type { LeaseCall } from './lease.ts'
import { MAX_RESERVED_MS } from './lease-arguments.ts'
import { LeaseQueries } from './lease-queries.ts'
import { FLOOR } from './lease-table.ts'
import { run } from './query-builder.ts'
import { runOnTable } from './sql-lease-store.ts'

/** By how much the clock of a host may lead the database's: two hours. */
const MAX_CLOCK_SKEW_MS = 7_200_000

/** A month. */
const MAX_AHEAD_MS = 30 * 86_400_000

/** How a bump is made. */
export interface BumpOptions extends LeaseCall {
  /**
   * By how much marks must lead the database's clock: at the least by the longest reservation plus the greatest
   * skew of a host (three hours: one and two). What was reserved after an earlier bump begins that much ahead
   * already: if that bump was undone by the restore, and is more recent than what it added, add this to it.
   */
  readonly aheadMs?: number
}

/**
 * Makes leases safe after the database was restored from a backup, or failed over to a replica that lagged: what
 * was acquired, reserved or handed out since then is not on record, and could be handed out again. Frees every
 * lease, and lifts epochs and marks above all that can have been used, also for names that have no row.
 *
 * Run it before anybody acquires, in the transaction of the restore if that is one: without it epochs and ids can
 * repeat. Whoever held a lease finds it lost at the next extension. Again does no harm.
 */
export async function bumpLeases(executor: Executor, options: BumpOptions = {}): Promise<void> {
  const { aheadMs = MAX_RESERVED_MS + MAX_CLOCK_SKEW_MS, signal } = options
  checkInteger('aheadMs', aheadMs, 0, MAX_AHEAD_MS)
  const queries = new LeaseQueries(dialectOf(executor))
  // A table that was emptied has lost the row that stands for all names without one.
  const floor = await runOnTable(executor, queries.read([FLOOR]), { signal })
  if (floor.rows.length === 0) await run(executor, queries.insertFloor(), { signal })
  await run(executor, queries.bump(aheadMs), { signal })
}
