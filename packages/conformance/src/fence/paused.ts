import { type CallOptions, type Executor, type StatementSource, statementFor } from '@shard/core'

/** Round trips in which a statement that waits for nobody has long ended. */
const PATIENCE = 60

/** Gives `call` as long as it takes another connection to ask many times. Has it ended by then? */
export async function settledWithin(call: Promise<unknown>, witness: Executor): Promise<boolean> {
  let settled = false
  const end = (): void => {
    settled = true
  }
  call.then(end, end)
  for (let i = 0; i < PATIENCE && !settled; i++) {
    await witness.execute({ sql: 'select 1 as one', parameters: [] })
    // An engine inside this process answers at once, and leaves others no turn.
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return settled
}

/** An executor that runs `pause` after the first read of the fence. */
export function paused(executor: Executor, pause: () => Promise<void>): Executor {
  let isOver = false
  const around = (inner: Executor): Executor => ({
    dialect: inner.dialect,
    family: inner.family,
    async execute<Row>(source: StatementSource, options?: CallOptions) {
      const result = await inner.execute<Row>(source, options)
      if (!isOver && /\bselect\b[\s\S]*\bshard_meta\b/i.test(statementFor(source, inner.dialect).sql)) {
        isOver = true
        await pause()
      }
      return result
    },
    stream: (source, options) => inner.stream(source, options),
    transaction: (work, options) => inner.transaction((tx) => work(around(tx)), options),
    shardIds: () => inner.shardIds(),
    close: () => inner.close(),
    [Symbol.asyncDispose]: () => inner.close(),
  })
  return around(executor)
}
