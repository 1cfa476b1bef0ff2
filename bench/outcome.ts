import type { Measurement, Rounds } from './measure.ts'
import { median, medianRatio } from './statistics.ts'

/** What the project promises of a figure. */
export type Limit = { atLeast?: number; atMost?: number }

/** One figure beside its limit, with what each round saw. `unit` is empty for a ratio. */
export type Figure = {
  what: string
  value: number
  unit: '' | 'ms' | 'us' | 'MB'
  rounds: number[]
  limit: Limit | null
}

/** One line of a scenario's table: medians over the rounds. */
export type Row = { name: string } & Omit<Measurement, 'calls'>

export type Outcome = { scenario: string; about: string; rows: Row[]; figures: Figure[] }

export function holds({ value, limit }: Pick<Figure, 'value' | 'limit'>): boolean | null {
  if (limit === null) return null
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = limit
  return value >= atLeast && value <= atMost
}

export function tableRows(seen: Rounds): Row[] {
  return [...seen].map(([name, rounds]) => {
    const middle = (read: (one: Measurement) => number) => median(rounds.map(read))
    const known = (read: (one: Measurement) => number | null) => {
      const values = rounds.map(read).filter((value) => value !== null)
      return values.length === 0 ? null : median(values)
    }
    return {
      name,
      perSecond: middle((one) => one.perSecond),
      p50Ms: middle((one) => one.p50Ms),
      p99Ms: middle((one) => one.p99Ms),
      serverUs: known((one) => one.serverUs),
      databaseUs: known((one) => one.databaseUs),
      memoryMb: known((one) => one.memoryMb),
      headBytes: middle((one) => one.headBytes),
      bodyBytes: middle((one) => one.bodyBytes),
    }
  })
}

type Comparison = {
  what: string
  /** Names of subjects: `of` divided by `by`, round by round. */
  of: string
  by: string
  read?: (one: Measurement) => number
  limit?: Limit
}

/** Throughput unless `read` names something else. */
export function compare(seen: Rounds, { what, of, by, read = (one) => one.perSecond, limit }: Comparison): Figure {
  const values = (name: string) => (seen.get(name) ?? []).map(read)
  const { ratio, rounds } = medianRatio(values(of), values(by))
  return { what, value: ratio, unit: '', rounds, limit: limit ?? null }
}

/** CPU of the server and of its database together: a busy machine moves it far less than the rate. */
export function processorUs({ serverUs, databaseUs }: Measurement): number {
  return (serverUs ?? Number.NaN) + (databaseUs ?? 0)
}
