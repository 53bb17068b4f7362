import { type Executor, isShardError } from '@shard/core'
import { tcpProxy } from '../src/tcp-proxy.ts'
import { openDatabase } from './fresh-database.ts'

// A process that uses a database and closes it; executor-life.test.ts waits for its end.

/** What it does before it closes. */
export interface Closing {
  readonly url: string
  readonly manner: 'unused' | 'used' | 'cancelled' | 'broken'
}

const one = { sql: 'select 1 as one', parameters: [] }

async function use(executor: Executor, signal?: AbortSignal): Promise<void> {
  for (let i = 0; i < 3; i++) await executor.execute(one, { signal })
  await executor.transaction((tx) => tx.execute(one))
  for await (const _ of executor.stream(one)) break
}

async function close({ url, manner }: Closing): Promise<void> {
  if (manner === 'broken' && !url.startsWith('/')) return closeBroken(url)
  const executor = openDatabase(url)
  if (manner === 'used' || manner === 'broken') await use(executor)
  if (manner === 'cancelled') {
    const abort = new AbortController()
    const call = use(executor, abort.signal)
    abort.abort()
    await call.catch((error) => {
      if (!isShardError(error, 'ABORTED')) throw error
    })
  }
  await executor.close()
  await executor.close()
}

/** Its connections break while they are used, and the server is gone when it closes. */
async function closeBroken(url: string): Promise<void> {
  const target = new URL(url)
  const proxy = await tcpProxy({ host: target.hostname, port: Number(target.port) })
  target.host = `127.0.0.1:${proxy.port}`
  const executor = openDatabase(target.href)
  await use(executor)
  const calls = [executor.execute(one), executor.transaction((tx) => tx.execute(one))]
  proxy.cut('reset')
  await Promise.allSettled(calls)
  await proxy.refuse()
  await Promise.allSettled([executor.execute(one)])
  await executor.close()
  await proxy.close()
}

process.once('message', async (closing: Closing) => {
  await close(closing)
  process.send?.('closed', () => process.disconnect())
})
process.send?.('ready')
