import type { FailedTest } from './suite-report.ts'
import type { Totals } from './test-totals.ts'

/** A failed test, and the title of the tests of its database. */
export type Failure = FailedTest & { database: string }

export type FileOnDatabase = { database: string; file: string }

// More than this many are not chance.
const repeatedFilesMax = 3
const detailedMax = 20
const messageLinesMax = 8
const lineLengthMax = 200

/**
 * The files to run once more: those of the failures, if they are few enough to be chance. None if a test was cancelled, or if
 * one failed of which the file is not known or may not be repeated: `last` looks at what all others have left behind.
 */
export function filesToRepeat(failures: readonly Failure[], isRepeatable: (file: string) => boolean): FileOnDatabase[] {
  const files = new Map(failures.map(({ database, file }) => [`${database} ${file}`, { database, file }]))
  const isChance = failures.every(({ file, kind }) => kind !== 'cancelledByParent' && isRepeatable(file))
  return isChance && files.size <= repeatedFilesMax ? [...files.values()] : []
}

/** The lines about failed tests, or none if there were none. */
export function describeFailures(failures: readonly Failure[]): string {
  // A test around subtests says only that one of them has failed.
  const told = failures.filter(({ kind }) => kind !== 'subtestsFailed')
  if (told.length === 0) return ''
  return ['', 'Failed', ...told.map((failure, at) => describe(failure, at < detailedMax))].join('\n')
}

export function describeFlaky(failures: readonly Failure[]): string {
  const told = failures.filter(({ kind }) => kind !== 'subtestsFailed')
  if (told.length === 0) return ''
  return ['', 'Flaky: failed once, passed when run again', ...told.map((failure) => describe(failure, true))].join('\n')
}

function describe({ database, file, title, message, stack }: Failure, isDetailed: boolean): string {
  const heading = `✖ ${file} (${database})\n  ${title}`
  if (!isDetailed) return heading
  const lines = message.split('\n').filter((line) => line.trim() !== '')
  const shown = lines.slice(0, messageLinesMax).map((line) => line.slice(0, lineLengthMax))
  const rest = lines.length > messageLinesMax ? [`... ${lines.length - messageLinesMax} more lines`] : []
  return [heading, ...[...shown, ...rest, ...stack].map((line) => `    ${line}`)].join('\n')
}

/** The totals with flaky tests on a line of their own, instead of among those that failed or ran out of time. */
export function withFlaky(totals: Totals, flaky: readonly Failure[]): Totals {
  const tests = flaky.filter(({ isSuite }) => !isSuite)
  const timedOut = tests.filter(({ kind }) => kind === 'testTimeoutFailure').length
  return {
    ...totals,
    fail: (totals.fail ?? 0) - (tests.length - timedOut),
    // The runner counts a test that ran out of time as cancelled.
    cancelled: (totals.cancelled ?? 0) - timedOut,
    flaky: tests.length,
  }
}
