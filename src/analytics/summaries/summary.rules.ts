import type { MarkTable } from '../events/mark-table.ts'
import type { Fact } from '../events/visit.rules.ts'
import { placeMarks, visitorMark } from './mark.rules.ts'
import { countedPlaces, type Dimension, otherPlaces } from './place.rules.ts'

export type Counts = { views: number; raw: number; bots: number; uniques: number }

/** One line of the daily summary, or what is added to one. */
export type Summary = Counts & {
  day: string
  type: string
  productId: string
  dimension: Dimension
  key: string
  productSlug: string | null
}

/** What a batch of visits adds. `isRepeat` is in the order of the facts. */
export type Entry = { isRepeat: boolean[]; additions: Summary[] }

/** Stands for visits of no product, where a key cannot be null. */
export const noProduct = '00000000-0000-0000-0000-000000000000'

/** Who comes back to a thing within this time is not another view. */
const repeatMs = 30_000
const dayMs = 24 * 3600 * 1000

/**
 * Works out what visits add to the summaries, and makes the marks of their visitors.
 * @param alike as `firstAlikeOf` tells it.
 * @param marks of each day.
 */
export function entryOf(facts: Fact[], alike: number[], marks: ReadonlyMap<string, MarkTable>): Entry {
  const additions = new Map<string, Summary>()
  const marksOf = placeMarks()
  const counted: { lines: Summary[]; places: ReturnType<typeof marksOf> }[] = []

  const isRepeat = facts.map((fact, index) => {
    const first = alike[index] as number
    counted[first] ??= { lines: linesOf(fact, additions), places: marksOf(fact) }
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

/** The lines that a visit is counted in, made where they are new. */
function linesOf(fact: Fact, additions: Map<string, Summary>): Summary[] {
  const { day, type, productSlug } = fact
  const productId = fact.productId ?? noProduct
  return [...countedPlaces(fact), ...otherPlaces(fact)].map(([dimension, key]) => {
    const line = { day, type, productId, dimension, key, productSlug, views: 0, raw: 0, bots: 0, uniques: 0 }
    const name = nameOf(line)
    const made = additions.get(name) ?? line
    additions.set(name, made)
    return made
  })
}

/** @param seen.isFirst for each of the counted places, which come first, whether its mark is new. */
function add(
  lines: Summary[],
  { isBot, visits }: Fact,
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

/** Lines of the same name as one. Of the parts, no visitor is in two. */
export function merged(parts: Summary[]): Summary[] {
  const sums = new Map<string, Summary>()
  for (const part of parts) {
    const sum = sums.get(nameOf(part))
    if (sum === undefined) sums.set(nameOf(part), { ...part })
    else for (const name of countNames) sum[name] += part[name]
  }
  return [...sums.values()]
}

/** The lines of `wanted` that `found` has not, or has otherwise; those that are too many in `found` with nothing in them. */
export function differencesOf(found: Summary[], wanted: Summary[]): Summary[] {
  const byName = new Map(found.map((summary) => [nameOf(summary), summary]))
  const changed = wanted.filter((summary) => {
    const other = byName.get(nameOf(summary))
    byName.delete(nameOf(summary))
    return other === undefined || countNames.some((name) => other[name] !== summary[name])
  })
  const surplus = [...byName.values()].map((summary) => ({ ...summary, views: 0, raw: 0, bots: 0, uniques: 0 }))
  return [...changed, ...surplus]
}

const countNames = ['views', 'raw', 'bots', 'uniques'] as const

function nameOf({ day, type, productId, dimension, key }: Summary): string {
  return `${day} ${type} ${productId} ${dimension} ${key}`
}
