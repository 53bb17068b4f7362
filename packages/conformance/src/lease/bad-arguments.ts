import assert from 'node:assert/strict'
import { ann, type Check, need, rejects } from './check.ts'

const badTexts: unknown[] = ['', 'a\0', '\ud800', 'a'.repeat(86), 5, 5n, null, undefined, {}, ['a']]
const badTtls: unknown[] = [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 86_400_001, '5', 5n, null]
const badInstants: unknown[] = [-1, 0.5, Number.NaN, 8.64e15 + 1, '5', 5n, null, undefined]

export function badArguments(test: Check): void {
  test('names, owners and times out of range are refused, and nothing is taken', async (leases) => {
    for (const bad of badTexts) {
      await rejects(leases.acquire(bad as string, ann), 'INVALID_ARGUMENT')
      await rejects(leases.acquire('a', { ...ann, owner: bad as string }), 'INVALID_ARGUMENT')
      await rejects(leases.read(bad as string), 'INVALID_ARGUMENT')
      await rejects(leases.readMany(['a', bad as string]), 'INVALID_ARGUMENT')
      await rejects(leases.readFolder(bad as string), 'INVALID_ARGUMENT')
    }
    for (const bad of [...badTtls, undefined])
      await rejects(leases.acquire('a', { ...ann, ttlMs: bad as number }), 'INVALID_ARGUMENT')
    for (const bad of badInstants) {
      const fromMs = bad as number
      await rejects(leases.acquire('a', { ...ann, reserve: { fromMs, lengthMs: 0 } }), 'INVALID_ARGUMENT')
    }
    for (const bad of [-1, 0.5, 3_600_001, '5', null, undefined]) {
      const lengthMs = bad as number
      await rejects(leases.acquire('a', { ...ann, reserve: { fromMs: 0, lengthMs } }), 'INVALID_ARGUMENT')
    }
    await rejects(leases.readMany('a' as never), 'INVALID_ARGUMENT')
    assert.equal(await leases.read('a'), null)
  })

  test('an extension out of range is refused, and the lease is held as before', async (leases) => {
    const lease = await need(leases, 'a')
    for (const bad of badTtls) await rejects(lease.extend({ ttlMs: bad as number }), 'INVALID_ARGUMENT')
    for (const bad of badInstants) {
      const reserve = { fromMs: bad as number, lengthMs: 1 }
      await rejects(lease.extend({ reserve }), 'INVALID_ARGUMENT')
    }
    assert.equal(lease.isHeld, true)
    assert.equal(await lease.release(), true)
  })
}
