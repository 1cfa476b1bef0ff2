import type { VisitRecord } from './visit.rules.ts'

export type DailyLimits = {
  /** The visit as it may be stored: above the daily limit, new referrers are counted together. */
  bounded(fact: VisitRecord): VisitRecord
  /** Whether the visit still gets its own row. Call it once per visit. */
  hasLine(fact: VisitRecord): boolean
}

/** Not a possible host name. */
export const otherReferrer = '(other)'

const standard = {
  /** Per type and product. About 100 bytes each, and as many summary rows, which are kept for good. */
  referrersMax: 200,
  /** About 40 bytes each when many arrive at once, 500 when few do, kept for weeks. Six visits a second all day long. */
  linesMax: 500_000,
}

/**
 * Bounds what anybody can send without end: referrers and visits must not fill the database. Each node counts in memory,
 * for the newest day only. A restart begins again; late visits of earlier days are not limited.
 */
export function dailyLimits({ referrersMax, linesMax } = standard): DailyLimits {
  let today = ''
  let lines = 0
  let referrers = new Map<string, Set<string>>()

  const begin = ({ day }: VisitRecord): void => {
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
