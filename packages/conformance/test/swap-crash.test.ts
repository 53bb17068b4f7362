import type { Executor } from '@shard/core'
import { describe, expect, test } from 'vitest'
import { withChildren } from './children.ts'
import { type Database, databases, withServer } from './databases.ts'
import { registryOn } from './registry-hosts.ts'
import { onSharedDatabase } from './shared-database.ts'
import type { Swapping } from './swapping-process.ts'

const long = { timeoutMs: 170_000 }
/** More than a swap has. */
const MANY = 20

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      test('ended at any statement, a swap has not happened; the next one is made', () => interrupted(engine))

      test(
        'so it is when the process is killed',
        () =>
          withChildren(
            'swapping-process.ts',
            3,
            (children) =>
              onSharedDatabase(engine, async ({ url, connect }) => {
                const executor = connect()
                for (const [i, child] of children.entries()) {
                  await fleet(executor, i * 2)
                  const task: Swapping = {
                    url,
                    full: i * 2,
                    standby: i * 2 + 1,
                    statements: [1, 3, 5][i] ?? 1,
                  }
                  await child.ask(task)
                  child.kill()
                  await child.ended
                  await checkUntouched(executor, i * 2)
                }
              }),
            long,
          ),
        long.timeoutMs,
      )
    })
  })
}

/** An active shard and a standby. */
async function fleet(executor: Executor, first: number): Promise<void> {
  const registry = registryOn(executor)
  await registry.register({ id: first, name: `${first}`, status: 'active' })
  await registry.register({ id: first + 1, name: `${first + 1}`, status: 'standby' })
}

async function checkUntouched(executor: Executor, first: number): Promise<void> {
  const registry = registryOn(executor)
  for (const [id, status] of [
    [first, 'active'],
    [first + 1, 'standby'],
  ] as const) {
    expect(await registry.get(id)).toMatchObject({ status, version: 1n, successorId: null })
    expect(await registry.history(id)).toHaveLength(1)
  }
  // Nothing that it held is held any more.
  expect(await registry.swapActive(first, first + 1, 1n)).toBe(true)
  expect(await registry.get(first)).toMatchObject({ status: 'sealed', successorId: first + 1 })
}

async function interrupted(engine: Database): Promise<void> {
  await onSharedDatabase(engine, async ({ connect }) => {
    const executor = connect()
    for (let last = 0; last < MANY; last++) {
      await fleet(executor, last * 2)
      let statements = 0
      const dying = dyingAfter(connect(), () => statements++ >= last)
      const swap = registryOn(dying).swapActive(last * 2, last * 2 + 1, 1n)
      const isMade = await swap.catch(() => null)
      if (isMade) {
        expect(last).toBeGreaterThan(5)
        return
      }
      await checkUntouched(executor, last * 2)
    }
    expect.fail('it never came to its end')
  })
}

/** An executor that answers no statement of a transaction any more, as of a process that has ended. */
function dyingAfter(executor: Executor, isDead: () => boolean): Executor {
  const transaction: Executor['transaction'] = (work, options) =>
    executor.transaction(
      (tx) =>
        work(
          Object.create(tx, {
            dialect: { value: tx.dialect },
            execute: {
              value: (...args: Parameters<Executor['execute']>) => {
                if (isDead()) throw new Error('dead')
                return tx.execute(...args)
              },
            },
          }),
        ),
      options,
    )
  return Object.create(executor, {
    dialect: { value: executor.dialect },
    transaction: { value: transaction },
  })
}
