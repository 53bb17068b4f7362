import { describe, expect, test } from 'vitest'
import type { Executor, Result, Statement } from '../src/executor.ts'
import { type Session, transact } from '../src/transaction-executor.ts'
import { fakeExecutor } from './fake-executor.ts'
import { rejection } from './refusal.ts'

/** A session that writes down what it is told; SQL that contains `fail` fails. */
class FakeSession implements Session {
  readonly log: string[] = []

  async run<Row>({ sql }: Statement): Promise<Result<Row>> {
    this.log.push(sql)
    await new Promise((resolve) => setImmediate(resolve))
    if (sql.includes('fail')) throw new Error(sql)
    this.log.push(`end of ${sql}`)
    return { rows: [], affectedRows: 0n }
  }

  async *stream<Row>({ sql }: Statement): AsyncIterable<Row> {
    this.log.push(sql)
    try {
      yield { n: 1 } as Row
      yield { n: 2 } as Row
    } finally {
      this.log.push(`end of ${sql}`)
    }
  }

  async commit(): Promise<void> {
    this.log.push('commit')
  }

  async rollback(): Promise<void> {
    this.log.push('rollback')
  }
}

const owner = fakeExecutor()
const q = (sql: string): Statement => ({ sql, parameters: [] })
const begin = <T>(session: Session, work: (tx: Executor) => Promise<T>, signal?: AbortSignal): Promise<T> =>
  transact(owner, session, work, signal)
const short = (log: readonly string[]): string[] => log.filter((line) => !line.startsWith('end of'))

describe('the end', () => {
  test('is a commit, and the value of the work', async () => {
    const session = new FakeSession()
    const value = await begin(session, async (tx) => {
      await tx.execute(q('a'))
      return 5
    })
    expect(value).toBe(5)
    expect(session.log).toEqual(['a', 'end of a', 'commit'])
  })

  test('is a rollback, and the error of the work', async () => {
    const session = new FakeSession()
    const failing = begin(session, async (tx) => {
      await tx.execute(q('a'))
      throw new Error('mine')
    })
    await expect(failing).rejects.toThrow('mine')
    expect(short(session.log)).toEqual(['a', 'rollback'])
  })

  test('is a rollback if the signal was aborted meanwhile', async () => {
    const session = new FakeSession()
    const controller = new AbortController()
    const failing = begin(session, async () => controller.abort('why'), controller.signal)
    expect((await rejection('ABORTED', failing)).cause).toBe('why')
    expect(session.log).toEqual(['rollback'])
  })

  test('waits for statements that the work did not wait for, and takes no more', async () => {
    const session = new FakeSession()
    let kept: Executor | undefined
    await begin(session, async (tx) => {
      kept = tx
      void tx.execute(q('a'))
    })
    expect(session.log).toEqual(['a', 'end of a', 'commit'])
    await rejection('CLOSED', (kept as Executor).execute(q('late')))
    await rejection(
      'CLOSED',
      (kept as Executor).transaction(async () => {}),
    )
    expect(session.log).toHaveLength(3)
  })

  test('closing the inner executor does nothing', async () => {
    const session = new FakeSession()
    await begin(session, async (tx) => {
      await tx.close()
      await tx.close()
      await tx.execute(q('a'))
    })
    expect(short(session.log)).toEqual(['a', 'commit'])
  })
})

test('statements run one after the other', async () => {
  const session = new FakeSession()
  await begin(session, (tx) => Promise.all([tx.execute(q('a')), tx.execute(q('b'))]))
  expect(session.log).toEqual(['a', 'end of a', 'b', 'end of b', 'commit'])
})

describe('a nested transaction', () => {
  test('is a savepoint, at every depth another one', async () => {
    const session = new FakeSession()
    await begin(session, (tx) => tx.transaction((a) => a.transaction((b) => b.execute(q('x')))))
    const [one, two] = short(session.log)
      .slice(0, 2)
      .map((line) => line.replace('savepoint ', ''))
    expect(one).not.toBe(two)
    expect(short(session.log)).toEqual([
      `savepoint ${one}`,
      `savepoint ${two}`,
      'x',
      `release savepoint ${two}`,
      `release savepoint ${one}`,
      'commit',
    ])
  })

  test('rolls back alone; the outer one goes on', async () => {
    const session = new FakeSession()
    await begin(session, async (tx) => {
      const inner = tx.transaction(async (nested) => {
        await nested.execute(q('a'))
        throw new Error('mine')
      })
      await expect(inner).rejects.toThrow('mine')
      await tx.execute(q('b'))
    })
    const log = short(session.log)
    expect(log[2]).toMatch(/^rollback to savepoint /)
    expect(log.slice(-2)).toEqual(['b', 'commit'])
  })

  test('keeps siblings waiting, and refuses the middle executor inside itself', async () => {
    const session = new FakeSession()
    await begin(session, async (tx) => {
      const nested = tx.transaction(async (inner) => {
        await inner.execute(q('a'))
        await rejection('TRANSACTION_BUSY', tx.execute(q('never')))
        await inner.execute(q('b'))
      })
      await Promise.all([nested, tx.execute(q('c'))])
    })
    expect(short(session.log).filter((line) => line.length === 1)).toEqual(['a', 'b', 'c'])
  })
})

describe('a stream', () => {
  test('refuses other calls until its loop ends', async () => {
    const session = new FakeSession()
    await begin(session, async (tx) => {
      for await (const _ of tx.stream(q('s'))) await rejection('TRANSACTION_BUSY', tx.execute(q('never')))
      await tx.execute(q('a'))
    })
    expect(session.log).toEqual(['s', 'end of s', 'a', 'end of a', 'commit'])
  })

  test('left early is ended', async () => {
    const session = new FakeSession()
    await begin(session, async (tx) => {
      for await (const _ of tx.stream(q('s'))) break
      await tx.execute(q('a'))
    })
    expect(session.log.slice(0, 2)).toEqual(['s', 'end of s'])
  })

  test('that the work left open does not hold the transaction for ever', async () => {
    const session = new FakeSession()
    const open = begin(session, async (tx) => {
      await tx.stream(q('s'))[Symbol.asyncIterator]().next()
    })
    const ended = await Promise.race([
      open.then(
        () => 'ended',
        () => 'ended',
      ),
      new Promise((resolve) => setTimeout(() => resolve('hangs'), 1_000)),
    ])
    expect(ended).toBe('ended')
  })
})

test('statements that begin or end a transaction are refused', async () => {
  const session = new FakeSession()
  const work = async (tx: Executor): Promise<void> => {
    for (const sql of ['commit', 'rollback', 'begin', 'savepoint a']) {
      await rejection('INVALID_ARGUMENT', tx.execute(q(sql)))
      await rejection(
        'INVALID_ARGUMENT',
        (async () => {
          for await (const _ of tx.stream(q(sql)));
        })(),
      )
    }
  }
  await begin(session, work)
  expect(session.log).toEqual(['commit'])
})
