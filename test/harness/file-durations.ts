import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/** A reporter for the test runner: at the end one line a file, its milliseconds and its path, for `test/run.ts`. */
// biome-ignore lint/style/noDefaultExport: the test runner takes a reporter from there
export default async function* fileDurations(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const milliseconds = new Map<string, number>()
  for await (const { type, data } of events) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting > 0 || data.file === undefined) continue
    const file = relative(process.cwd(), data.file).replaceAll('\\', '/')
    milliseconds.set(file, (milliseconds.get(file) ?? 0) + data.details.duration_ms)
  }
  for (const [file, spent] of milliseconds) yield `${Math.round(spent)} ${file}\n`
}
