import assert from 'node:assert/strict'
import { type Check, made, read } from './check.ts'

const invalid = { code: 'INVALID_ARGUMENT' }
const aborted = { code: 'ABORTED' }

export function badArguments(test: Check): void {
  test('a value out of range is refused, and nothing is written', async (counter) => {
    for (const value of [-1n, 2n ** 63n, 5, '5', null, undefined, 1.5])
      await assert.rejects(counter.swap(null, value as bigint), invalid)
    assert.equal(await counter.load(), null)
  })

  test('a version that cannot be one is refused or lost', async (counter) => {
    const { value } = await made(counter, 5n)
    for (const version of ['"nobody’s"', "'; drop table shard_counters; --"]) {
      const result = await counter.swap(version, 6n).catch((error: { code: string }) => error.code)
      assert.ok(['lost', 'INVALID_ARGUMENT'].includes(result), result)
    }
    for (const version of ['', 'a\0b', '\ud800', 5, {}])
      await assert.rejects(counter.swap(version as string, 6n), invalid)
    assert.equal((await read(counter)).value, value)
  })

  test('a call whose signal is aborted does nothing', async (counter) => {
    const signal = AbortSignal.abort()
    await assert.rejects(counter.load({ signal }), aborted)
    await assert.rejects(counter.swap(null, 5n, { signal }), aborted)
    assert.equal(await counter.load(), null)
  })
}
