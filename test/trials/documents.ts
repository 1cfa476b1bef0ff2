import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type DocumentReader, documentReader } from '../../src/extraction/document-reader.ts'
import type { Row } from './row.ts'
import { type TrialFile, trialFiles } from './trial-files.ts'

/** For one try, as in production; starting a worker and handing over the result take a little more. */
const tryMsMax = 65_000
const megabyte = 1024 * 1024

type Outcome = TrialFile & { code: string; tookMs: number; fault: string }

/** All hostile files and so many damaged ones, one after another through one reader: each must be read or fail in its time. */
export async function documents(rounds: number): Promise<Row[]> {
  const reader = documentReader()
  const loop = monitorEventLoopDelay({ resolution: 5 })
  let rssMax = 0
  const timer = setInterval(() => {
    rssMax = Math.max(rssMax, process.memoryUsage.rss())
  }, 50)
  const outcomes: Outcome[] = []
  for (const file of trialFiles(rounds)) {
    // Making the files is not measured: it blocks the event loop itself.
    loop.enable()
    outcomes.push(await readInTime(reader, file))
    loop.disable()
  }
  clearInterval(timer)
  await reader.close()
  for (const { name, code, tookMs } of outcomes.toSorted((one, other) => other.tookMs - one.tookMs).slice(0, 5))
    console.log(`${Math.round(tookMs)} ms: ${name}: ${code}`)
  return [
    ...Map.groupBy(outcomes, ({ kind }) => kind)
      .entries()
      .map(([kind, of]) => summary(kind, of)),
    {
      trial: 'process',
      'rss MiB': Math.round(rssMax / megabyte),
      'loop p99 ms': Math.round(loop.percentile(99) / 1e6),
      broken: '',
    },
  ]
}

async function readInTime(reader: DocumentReader, file: TrialFile): Promise<Outcome> {
  const startedMs = performance.now()
  const outcome = (code: string, fault: string) => ({ ...file, code, fault, tookMs: performance.now() - startedMs })
  try {
    const result = await reader.read(file)
    const fault = performance.now() - startedMs > tryMsMax ? 'time' : ''
    if ('failure' in result) return outcome(result.failure.code, fault)
    const isLeak = result.extraction.blocks.some(({ text }) => text.includes('root:x:0:0'))
    return outcome('read', isLeak ? 'read another file' : fault)
  } catch (error) {
    return outcome('rejected', String(error))
  }
}

function summary(kind: string, outcomes: Outcome[]): Row {
  const count = (code: string) => outcomes.filter((outcome) => outcome.code === code).length
  return {
    trial: kind,
    files: outcomes.length,
    read: count('read'),
    broken_files: count('BROKEN'),
    no_text: count('NO_TEXT'),
    too_much: count('TOO_MUCH') + count('TOO_LONG'),
    'slowest ms': Math.round(outcomes.reduce((most, { tookMs }) => Math.max(most, tookMs), 0)),
    broken: outcomes
      .filter(({ fault }) => fault !== '')
      .map(({ name, fault }) => `${name}: ${fault}`)
      .join('; '),
  }
}
