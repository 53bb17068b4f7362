import { type Executor, isShardError, type Result, SchemaMismatchError, ShardError } from '@shard/core'
import type { Compilable } from 'kysely'
import { dialectOf } from './dialects.ts'
import type { LeaseCall, LeaseFolder, LeaseRecord } from './lease.ts'
import { LeaseQueries, type LeaseReading, type OwnRow, recordOf } from './lease-queries.ts'
import type { LeaseClaim, LeaseStore, TakenLease } from './lease-store.ts'
import { FLOOR, leaseSchemaOf } from './lease-table.ts'
import { run } from './query-builder.ts'
import { retryRefused } from './retry-refused.ts'
import { applySchema } from './schema-ladder.ts'

/** How often a change is made again that the engine refused for the sake of a rival. */
const MAX_ATTEMPTS = 5

/** Leases in `shard_leases`. */
export function sqlLeaseStore(executor: Executor): LeaseStore {
  const queries = new LeaseQueries(dialectOf(executor))
  const changes = async (query: Compilable<unknown>, call: LeaseCall): Promise<boolean> =>
    again(async () => (await runOnTable(executor, query, call)).affectedRows > 0n, call)
  const read = async (names: readonly string[], call: LeaseCall): Promise<readonly LeaseRecord[]> =>
    (await runOnTable(executor, queries.read(names), call)).rows.map(recordOf)
  const take = async (claim: LeaseClaim, call: LeaseCall): Promise<boolean> => {
    // Whoever waits for a lease asks again and again: a read is all that costs, and it locks nothing.
    const records = await read([claim.name, FLOOR], call)
    const record = records.find(({ name }) => name !== FLOOR)
    if (record?.isHeld) return false
    if (record) return changes(queries.take(claim), call)
    return again(() => insert(executor, queries.insert(claim, records[0] ?? NO_FLOOR), call), call)
  }
  const readOwn = async ({ name, token }: LeaseClaim, call: LeaseCall): Promise<TakenLease | null> =>
    (await run(executor, queries.own(name, token), call)).rows.map(takenOf)[0] ?? null
  return {
    take: (claim, call) =>
      settled(
        () => take(claim, call),
        () => readOwn(claim, call),
      ),
    extend: (claim, call) => changes(queries.extend(claim), call),
    release: (name, token, call) => changes(queries.release(name, token), call),
    read: async (names, call) => (names.length === 0 ? [] : read(names, call)),
    async readFolder(folder, call) {
      const readings = async (): Promise<LeaseFolder | null> =>
        folderOf((await runOnTable(executor, queries.readFolder(folder), call)).rows)
      const found = await readings()
      if (found) return found
      // Where DDL commits by itself a table is there before its first row.
      await applySchema(executor, leaseSchemaOf(dialectOf(executor)))
      return (await readings()) ?? emptied()
    },
  }
}

/** Null if the floor is missing, which comes first: no name is before it. */
function folderOf([floor, ...rows]: readonly LeaseReading[]): LeaseFolder | null {
  const first = floor && recordOf(floor)
  if (first?.name !== FLOOR) return null
  return { records: rows.map(recordOf), floorMarkMs: first.markMs, readAtMs: first.readAtMs }
}

function emptied(): never {
  throw new SchemaMismatchError('shard_leases was emptied: run bumpLeases')
}

const NO_FLOOR = { epoch: 0n, markMs: 0 }

function takenOf({ epoch, mark_ms }: OwnRow): TakenLease {
  return { epoch, markMs: Number(mark_ms) }
}

/** Makes the first row of a name; false if it has one by now: of two at once the unique key takes one. */
async function insert(executor: Executor, query: Compilable<unknown>, call: LeaseCall): Promise<boolean> {
  try {
    await run(executor, query, call)
    return true
  } catch (error) {
    if (isShardError(error, 'UNIQUE_VIOLATION')) return false
    throw error
  }
}

/** Reads back what was, or may have been, taken: only its own token proves it. */
async function settled(
  attempt: () => Promise<boolean>,
  readOwn: () => Promise<TakenLease | null>,
): Promise<TakenLease | null> {
  let doubt: unknown = null
  try {
    if (!(await attempt())) return null
  } catch (error) {
    if (isShardError(error) && error.outcome === 'not-applied') throw error
    doubt = error
  }
  const own = await readOwn().catch((error: unknown) => {
    throw doubt ?? (isShardError(error) ? unknownAfter(error) : error)
  })
  // Nothing to be seen yet is not the same as nothing applied.
  if (own === null && doubt !== null) throw doubt
  return own
}

/** The error of a read that came after a write, which must not be taken for undone. */
function unknownAfter({ code, message, retryable, cause }: ShardError): ShardError {
  return new ShardError(code, message, { retryable, outcome: 'unknown', cause })
}

/** Runs a change again that was refused for a deadlock or a lost race: it has left nothing behind. */
function again<T>(change: () => Promise<T>, { signal }: LeaseCall): Promise<T> {
  return retryRefused(change, { attempts: MAX_ATTEMPTS }, signal)
}

/** Runs a query, and makes the table if that is what was missing. */
export async function runOnTable<Row>(
  executor: Executor,
  query: Compilable<Row>,
  call: LeaseCall,
): Promise<Result<Row>> {
  try {
    return await run(executor, query, call)
  } catch (error) {
    if (!isShardError(error, 'QUERY_FAILED') || error.outcome !== 'not-applied') throw error
    await applySchema(executor, leaseSchemaOf(dialectOf(executor)))
    return run(executor, query, call)
  }
}
