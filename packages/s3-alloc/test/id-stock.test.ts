import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IdStock } from '../src/id-stock.ts'

test('gives what was added, in order, and no more', () => {
  const steps = fc.array(
    fc.oneof(fc.record({ add: fc.nat(5), gap: fc.nat(3) }), fc.record({ take: fc.nat(7) })),
  )
  fc.assert(
    fc.property(steps, (script) => {
      const stock = new IdStock()
      const model: bigint[] = []
      let top = 1n
      for (const step of script) {
        if ('add' in step) {
          const from = top + BigInt(step.gap)
          top = from + BigInt(step.add)
          stock.add(from, top)
          for (let id = from; id < top; id++) model.push(id)
        } else {
          const count = Math.min(step.take, stock.left)
          expect(stock.takeMany(count)).toEqual(model.splice(0, count))
        }
        expect([stock.left, stock.peek]).toEqual([model.length, model[0] ?? null])
      }
      expect(stock.clear()).toBe(model.length)
      expect([stock.left, stock.peek]).toEqual([0, null])
    }),
  )
})
