import { expect, test } from 'vitest'
import { enterInside, ownersOutside, refuseInside, runInside } from '../src/scope.ts'
import { refusal } from './refusal.ts'

const owner = {}

test('inside a transaction its owner is refused, another executor is not', async () => {
  await runInside(owner, async () => {
    refusal('TRANSACTION_BUSY', () => refuseInside(owner))
    refuseInside({})
  })
  refuseInside(owner)
})

test('the scope follows what the work awaits and starts, and nests', async () => {
  const inner = {}
  await runInside(owner, async () => {
    await new Promise((resolve) => setTimeout(resolve, 0))
    await runInside(inner, async () => {
      refusal('TRANSACTION_BUSY', () => refuseInside(owner))
      refusal('TRANSACTION_BUSY', () => refuseInside(inner))
    })
    refuseInside(inner)
    refusal('TRANSACTION_BUSY', () => refuseInside(owner))
  })
})

test('what the work left running may use the owner once the transaction has ended', async () => {
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  let left = Promise.resolve()
  await runInside(owner, async () => {
    left = ended.then(() => refuseInside(owner))
  })
  end()
  await left
})

test('code outside, at the same time, is not inside', async () => {
  let enter = (): void => {}
  const entered = new Promise<void>((resolve) => {
    enter = resolve
  })
  let leave = (): void => {}
  const left = new Promise<void>((resolve) => {
    leave = resolve
  })
  const running = runInside(owner, async () => {
    enter()
    await left
  })
  await entered
  refuseInside(owner)
  leave()
  await running
})

test('a failure passes through and ends the scope', async () => {
  const failing = runInside(owner, () => Promise.reject(new Error('broken')))
  await expect(failing).rejects.toThrow('broken')
  refuseInside(owner)
})

test('a function can put itself inside, and what it goes on to await with it', async () => {
  const owner = {}
  const inside = async (): Promise<void> => {
    const leave = enterInside(owner)
    await Promise.resolve()
    expect(() => refuseInside(owner)).toThrow(expect.objectContaining({ code: 'TRANSACTION_BUSY' }))
    expect([...ownersOutside()]).toEqual([owner])
    leave()
    refuseInside(owner)
    expect([...ownersOutside()]).toEqual([])
  }
  await inside()
  refuseInside(owner)
})
