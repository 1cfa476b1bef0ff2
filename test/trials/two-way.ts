import { interleave } from '../harness/interleavings.ts'
import { startPostgresServer } from '../harness/postgres-server.ts'
import { trackerCases } from '../harness/tracker-cases.ts'
import { twoWayLab } from '../harness/two-way.ts'
import type { Row } from './row.ts'

const seed = 20

/** Tasks and issues that change on both sides at random. At the end both are equal, or the task shows a conflict. */
export async function twoWay(rounds: number): Promise<Row[]> {
  await startPostgresServer().then(({ url }) => {
    process.env['ATRIUM_TEST_DATABASE'] = 'postgres'
    process.env['TEST_DATABASE_URL'] = url
  })
  const lab = await twoWayLab()
  const integrations = new Map<string, string>()
  for (const it of trackerCases) integrations.set(it.provider, await lab.connect(it))
  const started = performance.now()
  const { faults, ...seen } = await interleave(lab, { integrations, rounds, seed, together: 60 })
  await lab.close()
  for (const fault of faults.slice(0, 20)) console.error(fault)
  const seconds = Math.round((performance.now() - started) / 1000)
  return [{ ...seen, seconds, broken: faults.length === 0 ? '' : `${faults.length} faults` }]
}
