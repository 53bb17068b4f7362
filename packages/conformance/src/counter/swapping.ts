import assert from 'node:assert/strict'
import { type Check, made, raised, read } from './check.ts'

const MAX = 2n ** 63n - 1n

export function swapping(test: Check): void {
  test('there is none until it is made, and it is made once', async (counter, host) => {
    assert.equal(await counter.load(), null)
    const other = await host.counter()
    assert.equal((await made(counter, 7n)).value, 7n)
    assert.equal(await other.swap(null, 8n), 'lost')
    assert.equal((await read(other)).value, 7n)
  })

  test('each swap gives another version, and only the last one counts', async (counter, host) => {
    const first = await made(counter, 0n)
    const second = await raised(await host.counter(), 10n)
    assert.notEqual(second.version, first.version)
    assert.equal(await counter.swap(first.version, 20n), 'lost')
    assert.equal((await raised(counter, 30n)).value, 30n)
    assert.equal(await counter.swap(second.version, 40n), 'lost')
    assert.equal((await read(counter)).value, 30n)
  })

  test('a version is gone although the value is what it was', async (counter) => {
    const first = await made(counter, 5n)
    await raised(counter, 5n)
    assert.equal(await counter.swap(first.version, 6n), 'lost')
    assert.equal((await read(counter)).value, 5n)
  })

  test('a swap where there is none makes none', async (counter, host) => {
    const other = await host.counter('other')
    const { version } = await made(other, 5n)
    assert.notEqual(await counter.swap(version, 6n), 'ok')
    assert.equal(await counter.load(), null)
  })

  test('64-bit values come back as they were', async (counter) => {
    await made(counter, 0n)
    for (const value of [2n ** 53n + 1n, 2n ** 62n, MAX - 1n, MAX])
      assert.equal((await raised(counter, value)).value, value)
  })

  test('counters with different names know nothing of each other', async (counter, host) => {
    const names = ['a', 'A', 'a b', 'é', 'orders/2026']
    const counters = await Promise.all(names.map((name) => host.counter(name)))
    for (const [i, one] of counters.entries()) await made(one, BigInt(i))
    for (const [i, one] of counters.entries()) assert.equal((await read(one)).value, BigInt(i))
    assert.equal(await counter.load(), null)
  })
}

export function marks(test: Check): void {
  test('a generation is made with the counter and stays; another counter has another', async (counter, host) => {
    const { generation } = await made(counter, 0n)
    assert.ok(typeof generation === 'string' && generation.length >= 16)
    assert.equal((await raised(counter, 5n)).generation, generation)
    assert.notEqual((await made(await host.counter('other'), 0n)).generation, generation)
  })

  test('what a swap says of generation and home stays until another says otherwise', async (counter) => {
    assert.equal(await counter.swap(null, 0n, { generation: 'g1', home: 'here' }), 'ok')
    const first = await raised(counter, 5n)
    assert.deepEqual([first.generation, first.home], ['g1', 'here'])
    const result = await counter.swap(first.version, 6n, { generation: 'g2', home: 'there' })
    assert.equal(result, 'ok')
    const { value, generation, home } = await raised(counter, 7n)
    assert.deepEqual([value, generation, home], [7n, 'g2', 'there'])
  })
}
