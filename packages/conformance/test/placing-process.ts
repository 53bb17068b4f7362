import type { Executor } from '@shard/core'
import type { IdSource } from '@shard/placer'
import { openDatabase } from './fresh-database.ts'
import { placerOn } from './placers.ts'
import { registryOn } from './registry-hosts.ts'

// One of several processes that place keys on the shards of one registry; placer.test.ts runs it. It says
// that it is ready and waits for its work, so that all start at once, and answers with the shards it used.

/** What a process is to do. */
export interface Work {
  readonly url: string
  /** Sets its ids apart from those of the others. */
  readonly process: number
  readonly keys: number
  readonly cacheTtlMs: number
}

async function placeKeys({ url, process, keys, cacheTtlMs }: Work): Promise<number[]> {
  const executor = openDatabase(url, 1)
  const placer = placerOn(executor, numbered(process), cacheTtlMs)
  const shards: number[] = []
  for (let i = 0; i < keys; i++) {
    const { id, shard } = await placer.place()
    const sql = `insert into placed (id, shard) values (${id}, ${shard})`
    await executor.execute({ sql, parameters: [] })
    await measure(executor, shard)
    shards.push(shard)
  }
  await executor.close()
  return shards
}

/** Counts and writes down in one transaction: its first change keeps the row, so that no older count follows. */
function measure(executor: Executor, shard: number): Promise<void> {
  return executor.transaction(async (tx) => {
    const registry = registryOn(tx)
    await registry.recordSizeError(shard, 'being measured')
    const sql = `select count(*) as size from placed where shard = ${shard}`
    const { rows } = await tx.execute<{ size: bigint }>({ sql, parameters: [] })
    await registry.measure(shard, rows[0]?.size ?? 0n)
  })
}

/** Ids 1, 2, 3, ... above the process's number. */
function numbered(process: number): IdSource {
  let last = BigInt(process) << 32n
  return { wait: async (codec, shard) => codec.compose(shard, ++last) }
}

process.once('message', async (work: Work) => {
  process.send?.(await placeKeys(work), () => process.disconnect())
})
process.send?.('ready')
