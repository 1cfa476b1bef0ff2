import type { FileCost } from './suite-report.ts'

/**
 * A list of the files that needed most of the processors, of several processes' files. On a busy machine that says more than how
 * long they took.
 */
export function slowestFiles(costs: readonly Readonly<Record<string, FileCost>>[], count = 15): string {
  const inSeconds = (seconds: number) => `${seconds.toFixed(1).padStart(7)} s`
  const files = costs.flatMap((ofProcess) => Object.entries(ofProcess))
  const all = files.reduce((sum, [, { processorSeconds }]) => sum + processorSeconds, 0)
  const slowest = files
    .sort(([, a], [, b]) => b.processorSeconds - a.processorSeconds)
    .slice(0, count)
    .map(([file, cost]) => `${inSeconds(cost.processorSeconds)} of a processor in ${inSeconds(cost.seconds)}  ${file}`)
  return [...slowest, `${inSeconds(all)} of a processor in all, without database servers`].join('\n')
}
