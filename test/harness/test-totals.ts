const counted = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo']

/** The closing lines of several runs of the test runner as one, in its own words. */
export function sumTotals(outputs: readonly string[]): string {
  const total = (name: string) =>
    outputs.reduce((sum, text) => {
      const [, number = '0'] = [...text.matchAll(new RegExp(`^\\S*ℹ ${name} (\\d+)`, 'gm'))].at(-1) ?? []
      return sum + Number(number)
    }, 0)
  return ['', ...counted.map((name) => `ℹ ${name} ${total(name)}`)].join('\n')
}
