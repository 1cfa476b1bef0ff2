import type { Fact } from './visit.rules.ts'

export type DailyLimits = {
  /** The visit as it may be kept: once a thing has its many referrers of a day, those that are new stand together. */
  bounded(fact: Fact): Fact
  /** Whether the visit still gets a line of its own; asked once for each. */
  hasLine(fact: Fact): boolean
}

/** No host is called so. */
export const otherReferrer = '(other)'

const standard = {
  /** Of each type and product; about 100 bytes each, and as many rows of the summaries, which are kept for good. */
  referrersMax: 200,
  /** About 40 bytes each where many come at once, 500 where few do, kept for weeks. Six visits a second, the whole day long. */
  linesMax: 500_000,
}

/**
 * What anybody can send without end, a referrer and the visit itself, must not fill the database. Kept by each node in
 * memory for the newest day alone: a start begins anew, and what comes late is of no matter.
 */
export function dailyLimits({ referrersMax, linesMax } = standard): DailyLimits {
  let today = ''
  let lines = 0
  let referrers = new Map<string, Set<string>>()

  const begin = ({ day }: Fact): void => {
    if (day <= today) return
    today = day
    lines = 0
    referrers = new Map()
  }

  return {
    bounded: (fact) => {
      begin(fact)
      const { type, productId, referrerHost } = fact
      if (referrerHost === null) return fact
      const name = `${type} ${productId}`
      const known = referrers.get(name) ?? new Set()
      referrers.set(name, known)
      if (known.has(referrerHost)) return fact
      if (known.size >= referrersMax) return { ...fact, referrerHost: otherReferrer }
      known.add(referrerHost)
      return fact
    },
    hasLine: (fact) => {
      begin(fact)
      lines += 1
      return lines <= linesMax
    },
  }
}
