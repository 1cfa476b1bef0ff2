import type { SeenVisitorSet } from '../events/seen-visitor-set.ts'
import type { VisitRecord } from '../events/visit.rules.ts'
import { type Dimension, otherDimensions, uniqueDimensions } from './dimension.rules.ts'
import { dimensionMarks, visitorMark } from './mark.rules.ts'

export type Counts = { views: number; raw: number; bots: number; uniques: number }

/** One line of the daily summary, or an addition to one. */
export type Summary = Counts & {
  day: string
  type: string
  productId: string
  dimension: Dimension
  key: string
  productSlug: string | null
}

/** What a batch of visits adds. `isRepeat` has the order of the visits. */
export type SummarizedVisits = { isRepeat: boolean[]; additions: Summary[] }

/** Replaces null for visits without a product, because a key cannot be null. */
export const noProduct = '00000000-0000-0000-0000-000000000000'

/** A repeat within this time does not count as another view. */
const repeatMs = 30_000
const dayMs = 24 * 3600 * 1000

/**
 * Computes what visits add to the summaries, and adds the marks of their visitors.
 * @param alike from `firstEqualIndexes`.
 * @param marks of each day.
 */
export function summarizeVisits(
  facts: VisitRecord[],
  alike: number[],
  marks: ReadonlyMap<string, SeenVisitorSet>,
): SummarizedVisits {
  const additions = new Map<string, Summary>()
  const marksOf = dimensionMarks()
  const counted: { lines: Summary[]; places: ReturnType<typeof marksOf> }[] = []

  const isRepeat = facts.map((fact, index) => {
    const first = alike[index] as number
    counted[first] ??= { lines: summaryLines(fact, additions), places: marksOf(fact) }
    const { lines, places } = counted[first]
    const day = marks.get(fact.day)
    if (fact.visitor === null || day === undefined) {
      add(lines, fact, { isRepeat: false, isFirst: [] })
      return false
    }
    const [high, low] = visitorMark(fact.visitor)
    const found = places.map(([placeHigh, placeLow]) => day.find(high ^ placeHigh, low ^ placeLow))
    const atMs = fact.at.getTime() % dayMs
    const lastMs = found.at(-1) as number
    const repeats = lastMs >= 0 && Math.abs(atMs - lastMs) < repeatMs
    add(lines, fact, { isRepeat: repeats, isFirst: found.map((ms) => ms < 0) })
    if (!repeats) for (const [placeHigh, placeLow] of places) day.make(high ^ placeHigh, low ^ placeLow, atMs)
    return repeats
  })
  return { isRepeat, additions: [...additions.values()] }
}

/** The summary lines of a visit; missing ones are added. */
function summaryLines(fact: VisitRecord, additions: Map<string, Summary>): Summary[] {
  const { day, type, productSlug } = fact
  const productId = fact.productId ?? noProduct
  return [...uniqueDimensions(fact), ...otherDimensions(fact)].map(([dimension, key]) => {
    const line = { day, type, productId, dimension, key, productSlug, views: 0, raw: 0, bots: 0, uniques: 0 }
    const name = summaryKey(line)
    const made = additions.get(name) ?? line
    additions.set(name, made)
    return made
  })
}

/** @param seen.isFirst for each unique-visitor dimension, which come first: whether its mark is new. */
function add(
  lines: Summary[],
  { isBot, visits }: VisitRecord,
  { isRepeat, isFirst }: { isRepeat: boolean; isFirst: boolean[] },
): void {
  for (const [index, line] of lines.entries()) {
    if (isBot) line.bots += visits
    else {
      line.raw += visits
      if (!isRepeat) line.views += visits
      if (isFirst[index]) line.uniques += 1
    }
  }
}

/** Merges lines with the same key. No visitor may be in two parts. */
export function mergeSummaries(parts: Summary[]): Summary[] {
  const sums = new Map<string, Summary>()
  for (const part of parts) {
    const sum = sums.get(summaryKey(part))
    if (sum === undefined) sums.set(summaryKey(part), { ...part })
    else for (const name of countNames) sum[name] += part[name]
  }
  return [...sums.values()]
}

/** The lines of `wanted` that are missing or different in `found`, and an empty line for each surplus one in `found`. */
export function findDifferences(found: Summary[], wanted: Summary[]): Summary[] {
  const byName = new Map(found.map((summary) => [summaryKey(summary), summary]))
  const changed = wanted.filter((summary) => {
    const other = byName.get(summaryKey(summary))
    byName.delete(summaryKey(summary))
    return other === undefined || countNames.some((name) => other[name] !== summary[name])
  })
  const surplus = [...byName.values()].map((summary) => ({ ...summary, views: 0, raw: 0, bots: 0, uniques: 0 }))
  return [...changed, ...surplus]
}

const countNames = ['views', 'raw', 'bots', 'uniques'] as const

function summaryKey({ day, type, productId, dimension, key }: Summary): string {
  return `${day} ${type} ${productId} ${dimension} ${key}`
}
