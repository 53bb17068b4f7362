import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { mutations } from './mutations/list.ts'

describe('the list of faults that tests must notice', () => {
  test.each(mutations)('$name: its line stands in the code once', ({ file, find, replace }) => {
    expect(readFileSync(file, 'utf8').split(find)).toHaveLength(2)
    expect(replace).not.toBe(find)
  })

  test('no two have one name', () => {
    expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length)
  })
})
