import type { Tally } from './closing.ts'

/** What we read of vitest's JSON report. */
export interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly {
    readonly status: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

/**
 * Counts a run of vitest. A file that fails outside its tests counts as one failed, and so does a run that
 * ran no test, left no report, or failed for a reason that no test shows (an unhandled rejection).
 */
export function tallyOf(report: Report | null, exitCode: number): Tally {
  if (!report) return { passed: 0, failed: 1, skipped: 0 }
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  const passed = report.numPassedTests
  const failed = report.numFailedTests + brokenFiles.length
  const skipped = report.numPendingTests + report.numTodoTests
  const isBroken = failed === 0 && (exitCode !== 0 || passed === 0)
  return { passed, failed: isBroken ? 1 : failed, skipped }
}
