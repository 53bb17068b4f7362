import type { Executor } from '@shard/core'
import { settledWithin } from '../src/fence/paused.ts'

/** How many rounds a raise is given. */
const MAX_ROUNDS = 20

/** A transaction that stays open until it is let go. */
interface Held {
  /** Resolves once it is open, or refused. */
  readonly begun: Promise<unknown>
  letGo(): Promise<unknown>
}

/**
 * Keeps at least one writer's transaction open at all times, each begun before the last one ends, while `raise`
 * wants its turn: after how many rounds did it get it?
 */
export async function roundsUntilRaised(
  writers: readonly [Executor, Executor],
  witness: Executor,
  raise: () => Promise<unknown>,
): Promise<number> {
  let current = hold(writers[0])
  await current.begun
  const raising = raise()
  let rounds = 0
  for (let isRaised = await settledWithin(raising, witness); !isRaised && rounds < MAX_ROUNDS; rounds++) {
    const next = hold(writers[rounds % 2 ? 0 : 1])
    await settledWithin(next.begun, witness)
    await current.letGo()
    isRaised = await settledWithin(raising, witness)
    current = next
  }
  await current.letGo()
  await raising
  return rounds
}

function hold(executor: Executor): Held {
  let letGo = (): void => {}
  const free = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let ended: Promise<unknown> = Promise.resolve()
  const begun = new Promise<unknown>((resolve) => {
    ended = executor
      .transaction(async () => {
        resolve(null)
        await free
      })
      .catch(resolve)
  })
  return {
    begun,
    letGo() {
      letGo()
      return ended
    },
  }
}
