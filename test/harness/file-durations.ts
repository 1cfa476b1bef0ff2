import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/** A reporter for the test runner: at its end one line a file, the milliseconds of its tests and its path. */
// biome-ignore lint/style/noDefaultExport: the test runner takes a reporter from there
export default async function* fileDurations(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const durations = new Map<string, number>()
  for await (const { type, data } of events) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting > 0 || data.file === undefined) continue
    const file = relative(process.cwd(), data.file).replaceAll('\\', '/')
    durations.set(file, (durations.get(file) ?? 0) + data.details.duration_ms)
  }
  for (const [file, milliseconds] of durations) yield `${Math.round(milliseconds)} ${file}\n`
}

/** What several runs of the reporter wrote, as a list of the files that took longest. */
export function slowestFiles(reports: readonly string[], count = 15): string {
  const durations = reports.flatMap((report) => [...report.matchAll(/^(\d+) (.+)$/gm)])
  const seconds = (milliseconds = '0') => (Number(milliseconds) / 1000).toFixed(1).padStart(7)
  return durations
    .sort(([, a], [, b]) => Number(b) - Number(a))
    .slice(0, count)
    .map(([, milliseconds, file]) => `${seconds(milliseconds)} s  ${file}`)
    .join('\n')
}
