import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type * as suites from '../src/index.ts'
import { databases } from './databases.ts'

/** Where each suite runs on every engine: a suite that is added is a type error until it has a row here. */
type SuiteName = Extract<keyof typeof suites, `${string}Suite`>
const runs: Record<Exclude<SuiteName, 'executor53Suite'>, string> = {
  counterSuite: 'counter.test.ts',
  directorySuite: 'directory.test.ts',
  executorLifeSuite: 'executor-life.test.ts',
  executorSuite: 'executor.test.ts',
  fenceSuite: 'fence.test.ts',
  leaseSuite: 'leases.test.ts',
  registrySuite: 'registry.test.ts',
  workerLeaseSuite: 'worker-leases.test.ts',
}

const textOf = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8')

describe('the matrix has no hole', () => {
  test.each(Object.entries(runs))('%s runs on every engine', (suite, file) => {
    const text = textOf(file)
    expect(text).toMatch(/for \(const \w+ of (databases|\[\.\.\.databases\b[^\]]*\])\) \{/)
    expect(text).toContain(`${suite}({`)
    expect(text).not.toMatch(/\.(skip|only|todo)\b/)
  })

  test('every engine of the dialects has a row', () => {
    expect(databases.map(({ dialect }) => dialect).sort()).toEqual(['mysql', 'postgres', 'sqlite'])
  })

  test('no test is skipped in silence, and none is run alone', () => {
    const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.test.ts'))
    const marked = files.filter(
      (file) => file !== 'matrix.test.ts' && /\b(test|it|describe)\.(skip|only|todo)\(/.test(textOf(file)),
    )
    expect(marked).toEqual([])
  })
})
