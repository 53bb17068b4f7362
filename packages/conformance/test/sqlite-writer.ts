import { sqliteExecutor } from '@shard/core/sqlite'
import Database from 'better-sqlite3'

// One of several processes that write to one file; sqlite-processes.test.ts runs it.

/** What a writer is to do. */
export interface Writing {
  readonly file: string
  readonly writer: number
  readonly transactions: number
}

/** How many of them succeeded, and what the others said. */
export interface Written {
  readonly committed: number
  readonly errors: readonly string[]
}

/** Each transaction reads, lets others have a turn, and writes what follows from its reading [D1]. */
async function write({ file, writer, transactions }: Writing): Promise<Written> {
  const executor = sqliteExecutor(new Database(file), { busyTimeoutMs: 30_000, synchronous: 'normal' })
  const errors: string[] = []
  let committed = 0
  for (let i = 0; i < transactions; i++) {
    try {
      await executor.transaction(async (tx) => {
        const { rows } = await tx.execute<{ n: bigint }>({ sql: 'select n from counter', parameters: [] })
        await new Promise(setImmediate)
        const next = (rows[0]?.n ?? -1n) + 1n
        await tx.execute({ sql: 'update counter set n = ?', parameters: [next] })
        await tx.execute({ sql: 'insert into entry (n, writer) values (?, ?)', parameters: [next, writer] })
      })
      committed++
    } catch (error) {
      errors.push(String((error as { code?: unknown }).code ?? error))
    }
  }
  await executor.close()
  return { committed, errors }
}

process.once('message', async (writing: Writing) => {
  process.send?.(await write(writing), () => process.disconnect())
})
process.send?.('ready')
