const counted = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo']

export type Totals = Record<string, number>

/** The closing lines of several runs of the test runner, added up. */
export function sumTotals(outputs: readonly string[]): Totals {
  const total = (name: string) =>
    outputs.reduce((sum, text) => {
      const [, number = '0'] = [...text.matchAll(new RegExp(`^\\S*ℹ ${name} (\\d+)`, 'gm'))].at(-1) ?? []
      return sum + Number(number)
    }, 0)
  return Object.fromEntries(counted.map((name) => [name, total(name)]))
}

/** The totals in the test runner's own words. */
export const describeTotals = (totals: Totals): string =>
  ['', ...Object.entries(totals).map(([name, number]) => `ℹ ${name} ${number}`)].join('\n')
