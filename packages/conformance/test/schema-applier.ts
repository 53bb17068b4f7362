import { ensureControlTables } from '@shard/registry'
import { applySchema, type SchemaLadder, writeIdentity } from '@shard/sql'
import { directoryAdapterOf } from './directory-hosts.ts'
import { openDatabase } from './fresh-database.ts'

// One of several processes that set up one empty database at once, again for each message; schema.test.ts runs it.

/** What is to be set up. */
export interface SetUp {
  readonly url: string
  readonly ladder: SchemaLadder
  /** The control tables too? */
  readonly controls: boolean
}

async function setUp({ url, ladder, controls }: SetUp): Promise<readonly number[] | string> {
  const executor = openDatabase(url, 1)
  try {
    const steps = await applySchema(executor, ladder)
    await writeIdentity(executor, { cluster: 'c1', family: 'users', shard: 1 })
    if (controls) await ensureControlTables(executor, { schemas: [directoryAdapterOf(executor).schema] })
    return steps
  } catch (error) {
    return String((error as { code?: unknown }).code ?? error)
  } finally {
    await executor.close()
  }
}

process.on('message', async (message: SetUp) => {
  process.send?.(await setUp(message))
})
process.send?.('ready')
