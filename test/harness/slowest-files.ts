/** A list of the files that took longest, of several processes' files and milliseconds. */
export function slowestFiles(durations: readonly Readonly<Record<string, number>>[], count = 15): string {
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1).padStart(7)
  return durations
    .flatMap((ofProcess) => Object.entries(ofProcess))
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([file, milliseconds]) => `${seconds(milliseconds)} s  ${file}`)
    .join('\n')
}
