import {
  checkLayout,
  checkSameLayout,
  type Executor,
  isShardError,
  type Layout,
  layouts,
  NotFoundError,
} from '@shard/core'
import { applySchema, dialectOf, queryBuilder, retryRefused, run, type SchemaLadder } from '@shard/sql'
import type { LayoutRecord } from './layout-record.ts'
import type { RegistryCall } from './registry.ts'

interface LayoutRow {
  /** There is only one. */
  readonly id: number
  readonly shard_bits: number
  readonly time_bits: number
  readonly counter_bits: number
  readonly worker_bits: number
  readonly epoch_ms: bigint
  readonly id_bits: number
}

/** The ladder of `shard_layout`, the same on every engine. */
export const layoutSchema: SchemaLadder = {
  name: 'shard_layout',
  steps: [
    [
      `create table shard_layout (
  id integer not null check (id = 1),
  shard_bits integer not null,
  time_bits integer not null,
  counter_bits integer not null,
  worker_bits integer not null,
  epoch_ms bigint not null,
  id_bits integer not null,
  primary key (id)
)`,
    ],
  ],
}

/** The layout in a control database's table `shard_layout`, which is made if it is not there. */
export function layoutRecord(executor: Executor): LayoutRecord {
  const db = queryBuilder<{ shard_layout: LayoutRow }>(dialectOf(executor))
  const read = async ({ signal }: RegistryCall): Promise<Layout | null> => {
    const { rows } = await run(executor, db.selectFrom('shard_layout').selectAll(), { signal })
    return rows.map(layoutOf)[0] ?? null
  }
  const insert = async (layout: Layout, { signal }: RegistryCall): Promise<void> => {
    const query = db.insertInto('shard_layout').values(rowOf(layout))
    try {
      await retryRefused(() => run(executor, query, { signal }), {}, signal)
    } catch (error) {
      // Somebody else was first.
      if (!isShardError(error, 'UNIQUE_VIOLATION')) throw error
    }
  }
  return {
    async settle(given, call = {}) {
      const wanted = given && checkLayout(given)
      let onRecord = await read(call).catch(async (error: unknown) => {
        if (!isShardError(error, 'QUERY_FAILED')) throw error
        await applySchema(executor, layoutSchema)
        return read(call)
      })
      if (onRecord === null) {
        await insert(wanted ?? layouts.default, call)
        onRecord = await read(call)
      }
      if (onRecord === null) throw new NotFoundError('layout on record, though it was just put there')
      if (wanted) checkSameLayout(onRecord, wanted)
      return onRecord
    },
  }
}

function rowOf(layout: Layout): LayoutRow {
  return {
    id: 1,
    shard_bits: layout.shardBits,
    time_bits: layout.timeBits,
    counter_bits: layout.counterBits,
    worker_bits: layout.workerBits,
    epoch_ms: BigInt(layout.epochMs),
    id_bits: layout.idBits,
  }
}

function layoutOf(row: LayoutRow): Layout {
  return checkLayout({
    shardBits: row.shard_bits,
    timeBits: row.time_bits,
    counterBits: row.counter_bits,
    workerBits: row.worker_bits,
    epochMs: Number(row.epoch_ms),
    idBits: row.id_bits as Layout['idBits'],
  })
}
