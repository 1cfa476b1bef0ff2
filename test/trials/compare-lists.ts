import { median } from '../../bench/statistics.ts'
import type { Reply } from '../harness/app.ts'
import type { Row } from './row.ts'

/** The bound of all lists: of many rows to a hundredth of them. docs/decisions/0015-tasks.md and 0016-shared-meetings.md. */
const ratioMax = 1.2
const turns = 110
const warmUpTurns = 10

/** Asks for the same list of few and of many in turns, so that what else the machine does takes the same of both. */
export async function compareLists(
  list: string,
  { few, many }: { few: () => Promise<Reply>; many: () => Promise<Reply> },
): Promise<Row> {
  const times = { few: [] as number[], many: [] as number[] }
  for (let turn = 0; turn < turns; turn++)
    for (const [name, call] of [
      ['few', few],
      ['many', many],
    ] as const) {
      const start = performance.now()
      const { status } = await call()
      if (status !== 200) throw new Error(`${list}: ${status}`)
      if (turn >= warmUpTurns) times[name].push(performance.now() - start)
    }
  const [fewMs, manyMs] = [median(times.few), median(times.many)]
  const ratio = manyMs / fewMs
  return {
    trial: list,
    few: fewMs.toFixed(1),
    many: manyMs.toFixed(1),
    ratio: ratio.toFixed(2),
    broken: ratio > ratioMax ? 'slower' : '',
  }
}
