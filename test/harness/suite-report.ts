import type { TestEvent } from 'node:test/reporters'
import { loading, processorSecondsOf } from './processor-time.ts'
import { thrownOutside } from './unhooked-promises.ts'

/** `kind` is the test runner's word: `testCodeFailure`, `testTimeoutFailure`, `hookFailed`, `cancelledByParent` and others. */
export type FailedTest = {
  file: string
  title: string
  message: string
  /** Where it was thrown, innermost first, without the frames of Node and of packages where there are others. */
  stack: string[]
  kind: string
  isSuite: boolean
}

/** What a file took, and of how many seconds of a processor it made use, those of ended processes that it had started among them. */
export type FileCost = { seconds: number; processorSeconds: number }

/**
 * `costs` are those of each file's tests, and of loading all files. They are null if the process ended before its report did.
 */
export type SuiteReport = Closing & { failures: FailedTest[] }
type Closing = { costs: Record<string, FileCost> | null }

type TestFail = Extract<TestEvent, { type: 'test:fail' }>['data']

const framesMax = 4
// The runner says this beside the tests: no test fails by it, but the process does.
const afterTheEnd = / generated asynchronous activity after the test ended\./
const folder = `${process.cwd()}/`

/**
 * A reporter for the test runner: one line of JSON for each failed test as it fails, and a closing one with the costs, which a
 * crash leaves out. One reporter for both, because Node warns of a leak from the third one on.
 */
// biome-ignore lint/style/noDefaultExport: the test runner takes a reporter from there
export default async function* suiteReport(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const titles: string[] = []
  const costs: Record<string, FileCost> = {}
  for await (const { type, data } of events) {
    if (type === 'test:complete' && data.nesting === 0) {
      const seconds = data.details.duration_ms / 1000
      costs[data.name] = { seconds, processorSeconds: processorSecondsOf.get(data.name) ?? 0 }
    }
    // Starts and ends come in the order of the files, whatever ran at the same time.
    if (type === 'test:start') titles.splice(data.nesting, Number.POSITIVE_INFINITY, data.name)
    if (type === 'test:fail' && isFailure(data)) {
      yield jsonLine(failedTest(data, [...titles.slice(0, data.nesting), data.name]))
    }
    if (type === 'test:diagnostic' && afterTheEnd.test(data.message))
      yield jsonLine(lateError(data.message, thrownOutside.shift()))
  }
  const loaded = processorSecondsOf.get(loading)
  if (loaded !== undefined) costs[loading] = { seconds: loaded, processorSeconds: loaded }
  yield jsonLine({ costs })
}

const jsonLine = (value: FailedTest | Closing) => `${JSON.stringify(value)}\n`
// It may be thrown by what an earlier file left behind: its place says more than the file that ran.
const lateError = (said: string, thrown: (typeof thrownOutside)[number] | undefined): FailedTest => ({
  file: '',
  title: `An error after the end of a test${thrown === undefined ? '' : `, while those of ${thrown.file} ran`}`,
  ...(thrown === undefined ? { message: said, stack: [] } : described(thrown.error)),
  kind: 'uncaughtException',
  isSuite: false,
})

// A parent that fails only because of its subtests would be listed twice.
const isFailure = ({ todo, details }: TestFail) =>
  (todo === undefined || todo === false) &&
  !(details.type === 'suite' && failureKind(details.error) === 'subtestsFailed')

const failureKind = (error: object) => ('failureType' in error ? String(error.failureType) : 'unknown')

/** @param titles the file first: `file-suites.ts` makes a suite of it. */
function failedTest({ details }: TestFail, [file = '', ...titles]: string[]): FailedTest {
  return {
    file,
    title: titles.join(' > ') || 'The file itself',
    ...described(details.error.cause ?? details.error),
    kind: failureKind(details.error),
    isSuite: details.type === 'suite',
  }
}

function described(error: unknown): { message: string; stack: string[] } {
  if (!(error instanceof Error)) return { message: String(error), stack: [] }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const own = frames.filter((frame) => !/node:|node_modules/.test(frame))
  return {
    message: `${error.name}: ${error.message}`,
    // Of an error that comes from a socket or a stream, all frames are those of Node.
    stack: (own.length > 0 ? own : frames)
      .slice(0, framesMax)
      .map((frame) => frame.trim().replace('file://', '').replace(folder, '')),
  }
}

/** What the reporter wrote. */
export function parseReport(report: string): SuiteReport {
  const lines = report.split('\n').map(parseLine)
  return {
    failures: lines.filter((line) => line !== null && 'title' in line),
    ...(lines.find((line) => line !== null && 'costs' in line) ?? { costs: null }),
  }
}

function parseLine(line: string): FailedTest | Closing | null {
  try {
    return JSON.parse(line)
  } catch {
    // Nothing, or the last line of a process that was killed while it wrote.
    return null
  }
}
