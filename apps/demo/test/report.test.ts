import { ConnectionLostError, type Executor, statementFor } from '@shard/core'
import { expect, onTestFinished, test } from 'vitest'
import type { Fleet } from '../src/fleet.ts'
import { openFleet } from '../src/open-fleet.ts'
import { showResult } from '../src/report.ts'
import { storeBatch } from '../src/store-batch.ts'
import { filesIn } from '../src/target.ts'
import { temporaryDirectory } from './run-demo.ts'

const nothing = { rows: 0, skipped: 0, newAccounts: 0, newMessages: 0, waiting: 0 }

/** A fleet whose shards in `lost` break their connection when they are asked for joined rows. */
function losing({ executor, ...fleet }: Fleet, lost: readonly number[]): Fleet {
  const broken: Executor = {
    dialect: executor.dialect,
    family: executor.family,
    async execute(source, options) {
      const route = options?.route
      const isLost = typeof route === 'object' && 'shard' in route && lost.includes(route.shard)
      if (isLost && statementFor(source, 'sqlite').sql.includes('join'))
        throw new ConnectionLostError(new Error('pulled out'), 'not-applied')
      return executor.execute(source, options)
    },
    stream: (source, options) => executor.stream(source, options),
    transaction: (work, options) => executor.transaction(work, options),
    shardIds: () => executor.shardIds(),
    close: () => executor.close(),
    [Symbol.asyncDispose]: () => executor.close(),
  }
  return { ...fleet, executor: broken }
}

async function report(lost: readonly number[]): Promise<string> {
  const fleet = await openFleet({ ...filesIn(temporaryDirectory()), shardBytes: null })
  onTestFinished(() => fleet.close())
  const row = { email: 'ann@example.org', name: 'Ann', message: 'hello', key: '1' }
  await storeBatch(fleet, [row])
  const lines: string[] = []
  await showResult(losing(fleet, lost), nothing, (text) => lines.push(text))
  return lines.join('\n')
}

test('a shard that is lost while its messages are read is named, and the others are shown', async () => {
  const text = await report([1])
  expect(text).toMatch(/^The newest messages of the shards that answer, by one fan-out\n {2}Ann: hello$/m)
  expect(text).toMatch(/^Shard 1 cannot be reached, .*accounts_shard_0001\.db: pulled out$/m)
})

test('nothing is named when all answer', async () => {
  const text = await report([])
  expect(text).toMatch(/^The newest messages of all shards, by one fan-out\n {2}Ann: hello$/m)
  expect(text).not.toContain('cannot be reached')
})
