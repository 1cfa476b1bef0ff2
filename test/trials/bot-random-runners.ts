import { testApp } from '../harness/app.ts'
import { pageHosts } from '../harness/bots.ts'
import { randomRunners } from '../harness/random-runners.ts'
import type { Row } from './row.ts'

/** Of one clock, so that each look has many bots. */
const atOnce = 50

/** Runners that are silent, late, lie and double, over the whole protocol. */
export async function botRandomRunners(count: number): Promise<Row[]> {
  const rows: Row[] = []
  for (let seed = 1; seed <= Math.ceil(count / atOnce); seed++) {
    const app = await testApp({ meetingHosts: pageHosts })
    const { ends, broken, ...seen } = await randomRunners(app, { bots: atOnce, seed })
    const reasons = Object.entries(ends).map(([reason, times]) => `${reason} ${times}`)
    rows.push({ seed, ...seen, ends: reasons.join(', '), broken: broken.slice(0, 5).join('; ') })
  }
  return rows
}
