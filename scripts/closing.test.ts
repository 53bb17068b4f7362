import { expect, test } from 'vitest'
import { closingLine, isCi, notRunLines, sum } from './closing.ts'
import { type Report, tallyOf } from './report.ts'

test('the closing line names skipped tests only if there are any', () => {
  expect(closingLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed')
  expect(closingLine({ passed: 12, failed: 1, skipped: 3 })).toBe('12 passed, 1 failed, 3 skipped')
})

test('tallies add up', () => {
  const one = { passed: 1, failed: 0, skipped: 2 }
  expect(sum([one, { passed: 0, failed: 1, skipped: 0 }])).toEqual({ passed: 1, failed: 1, skipped: 2 })
})

test('a missing server is told with the reason and the remedy', () => {
  const missing = [
    { name: 'mysql', title: 'MariaDB', why: 'local: none\napt: no', how: 'start Docker' },
  ] as const
  expect(notRunLines({ missing, leftOut: ['an S3 store'] }, { DIALECTS: 'mysql' })).toEqual([
    'Not run: the tests on MariaDB.',
    '  Why: local: none',
    '  apt: no',
    '  To run them: start Docker.',
    'Left out on purpose, by DIALECTS=mysql: an S3 store.',
  ])
})

test.each([
  [undefined, false],
  ['', false],
  ['false', false],
  ['true', true],
  ['1', true],
])('CI=%s is a build server: %s', (CI, expected) => {
  expect(isCi({ CI })).toBe(expected)
})

const clean: Report = {
  numPassedTests: 2,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 0,
  testResults: [],
}

test.each<[string, Report | null, number, { passed: number; failed: number; skipped: number }]>([
  ['a clean run', clean, 0, { passed: 2, failed: 0, skipped: 1 }],
  ['no report', null, 0, { passed: 0, failed: 1, skipped: 0 }],
  ['no test', { ...clean, numPassedTests: 0 }, 0, { passed: 0, failed: 1, skipped: 1 }],
  ['an unhandled rejection', clean, 1, { passed: 2, failed: 1, skipped: 1 }],
  [
    'a file that does not load',
    { ...clean, testResults: [{ status: 'failed', assertionResults: [] }] },
    1,
    { passed: 2, failed: 1, skipped: 1 },
  ],
])('%s is counted', (_name, report, exitCode, expected) => {
  expect(tallyOf(report, exitCode)).toEqual(expected)
})
