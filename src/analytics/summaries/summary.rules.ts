import { hash } from 'node:crypto'
import type { Fact } from '../events/visit.rules.ts'

/** What a day's visits of one type and product are split by. */
export type Dimension = 'all' | 'page' | 'download' | 'version' | 'referrer' | 'device'

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

/** A visitor's mark on a day: `seen` is a hash of who and what, 32 hexadecimal digits. */
export type Mark = { day: string; seen: string }

type Made = Mark & { viewedAtMs: number }

/** What a batch of visits writes. `isRepeat` is in the order of the facts; `oldMarks` are there and made anew. */
export type Entry = { isRepeat: boolean[]; newMarks: Made[]; oldMarks: Made[]; additions: Summary[] }

/** Stands for visits of no product, where a key cannot be null. */
export const noProduct = '00000000-0000-0000-0000-000000000000'

/** Who comes back to a thing within this time is not another view. */
const repeatMs = 30_000

/**
 * The marks that each visit looks at, the last one being that of the thing itself. Of nobody: none. Half of a mark says
 * where, which few of a batch differ in, and half of it who.
 */
export function marksOf(facts: Fact[]): Mark[][] {
  const hashes = new Map<string, string>()
  const placeHash = (name: string): string => {
    const known = hashes.get(name) ?? hash('sha256', name).slice(0, 16)
    hashes.set(name, known)
    return known
  }
  return facts.map((fact) => {
    const { visitor, day, type, productId } = fact
    if (visitor === null) return []
    const who = visitor.slice(0, 16)
    return countedPlaces(fact).map(([dimension, key]) => ({
      day,
      seen: placeHash(`${type} ${productId ?? ''} ${dimension} ${key}`) + who,
    }))
  })
}

/**
 * Works out what visits add to the summaries.
 * @param marks of each fact, as `marksOf` tells them.
 * @param known when those marks were last made that are there already, in milliseconds.
 */
export function entryOf(facts: Fact[], marks: Mark[][], known: ReadonlyMap<string, number>): Entry {
  const viewedMs = new Map(known)
  const made = new Map<string, Made>()
  const additions = new Map<string, Summary>()
  const linesOf = linesOver(additions)

  const isRepeat = facts.map((fact, index) => {
    const own = marks[index] ?? []
    const atMs = fact.at.getTime()
    const lastMs = viewedMs.get(own.at(-1)?.seen ?? '')
    const repeats = lastMs !== undefined && Math.abs(atMs - lastMs) < repeatMs
    const isFirst = own.map(({ seen }) => !viewedMs.has(seen))
    add(linesOf(fact), fact, { isRepeat: repeats, isFirst })
    if (repeats) return true
    for (const { day, seen } of own) {
      const viewedAtMs = Math.max(atMs, viewedMs.get(seen) ?? 0)
      viewedMs.set(seen, viewedAtMs)
      made.set(seen, { day, seen, viewedAtMs })
    }
    return false
  })
  const [newMarks, oldMarks]: [Made[], Made[]] = [[], []]
  for (const mark of made.values()) (known.has(mark.seen) ? oldMarks : newMarks).push(mark)
  return { isRepeat, newMarks, oldMarks, additions: [...additions.values()] }
}

/** The lines that a visit is counted in, made where they are new. Most visits of a batch are alike: one look finds all. */
function linesOver(additions: Map<string, Summary>): (fact: Fact) => Summary[] {
  const known = new Map<string, Summary[]>()
  return (fact) => {
    const { day, type, downloadId, docSlug, pageSlug, versionId, referrerHost, device, productSlug } = fact
    const productId = fact.productId ?? noProduct
    const alike = `${day} ${type} ${productId} ${downloadId} ${docSlug} ${pageSlug} ${versionId} ${referrerHost} ${device}`
    let lines = known.get(alike)
    if (lines === undefined) {
      lines = [...countedPlaces(fact), ...otherPlaces(fact)].map(([dimension, key]) => {
        const line = { day, type, productId, dimension, key, productSlug, views: 0, raw: 0, bots: 0, uniques: 0 }
        const name = nameOf(line)
        const made = additions.get(name) ?? line
        additions.set(name, made)
        return made
      })
      known.set(alike, lines)
    }
    return lines
  }
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

type Place = [Dimension, string]

/** Where different visitors are counted, from the whole to the thing that was visited. */
function countedPlaces({ downloadId, docSlug, pageSlug }: Fact): Place[] {
  if (downloadId !== null) return [all, ['download', downloadId]]
  const page = docSlug ?? pageSlug
  return page === null ? [all] : [all, ['page', page]]
}

const all: Place = ['all', '']

function otherPlaces({ versionId, referrerHost, device }: Fact): Place[] {
  const places: Place[] = [
    ['referrer', referrerHost ?? ''],
    ['device', device],
  ]
  return versionId === null ? places : [...places, ['version', versionId]]
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
