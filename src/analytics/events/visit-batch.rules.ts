import type { Device } from './agent.rules.ts'
import type { Fact } from './visit.rules.ts'

/** What visits of one batch have in common, with the names of its columns in `analytics_events`; what is null is left out. */
export type Kind = {
  visits: number
  is_bot: boolean
  is_repeat: boolean
  device: Device
  agent_family: string
  product_slug?: string
  page_slug?: string
  doc_slug?: string
  download_id?: string
  version_id?: string
  referrer_host?: string
  utm?: Record<string, string>
}

/** One row: visits of one minute, type and product. */
export type Batch = {
  day: string
  type: string
  productId: string | null
  kinds: Kind[]
  /** Of each visit; `kindsOf` is its place in `kinds`. */
  ids: string[]
  visitors: (string | null)[]
  kindsOf: number[]
}

/** So long is a row at most: whoever looks for a moment finds it in those that begin within this time before. */
export const batchMs = 60_000

/**
 * For each visit the first that differs from it in nothing but moment and visitor: what follows from the rest is worked out
 * once for all of them.
 */
export function firstAlikeOf(facts: Fact[]): number[] {
  // Of each thing looked through one by one: to make a name of all that visits have costs more.
  const firsts = new Map<string, number[]>()
  return facts.map((fact, index) => {
    const thing = fact.docSlug ?? fact.pageSlug ?? fact.productId ?? ''
    const known = firsts.get(thing) ?? []
    const first = known.find((other) => areAlike(facts[other] as Fact, fact)) ?? index
    if (first === index) firsts.set(thing, [...known, index])
    return first
  })
}

function areAlike(one: Fact, other: Fact): boolean {
  return (
    one.pageSlug === other.pageSlug &&
    one.docSlug === other.docSlug &&
    one.productId === other.productId &&
    one.referrerHost === other.referrerHost &&
    one.agentFamily === other.agentFamily &&
    one.device === other.device &&
    one.type === other.type &&
    one.day === other.day &&
    one.visits === other.visits &&
    one.isBot === other.isBot &&
    one.productSlug === other.productSlug &&
    one.downloadId === other.downloadId &&
    one.versionId === other.versionId &&
    (one.utm === other.utm || JSON.stringify(one.utm) === JSON.stringify(other.utm))
  )
}

/** @param alike as `firstAlikeOf` tells it. */
export function batchesOf(facts: Fact[], alike: number[], isRepeat: boolean[]): Batch[] {
  const batches = new Map<string, Batch>()
  const places = new Map<string, { batch: Batch; kindOf: number }>()

  const placeOf = (fact: Fact, repeats: boolean, minute: number) => {
    const { day, type, productId } = fact
    const name = `${minute} ${type} ${productId}`
    const made = { day, type, productId, kinds: [], ids: [], visitors: [], kindsOf: [] }
    const batch = batches.get(name) ?? made
    batches.set(name, batch)
    return { batch, kindOf: batch.kinds.push(kindOf(fact, repeats)) - 1 }
  }

  for (const [index, fact] of facts.entries()) {
    const minute = Math.floor(fact.at.getTime() / batchMs)
    const repeats = isRepeat[index] === true
    const name = `${alike[index]} ${repeats} ${minute}`
    let place = places.get(name)
    if (place === undefined) {
      place = placeOf(fact, repeats, minute)
      places.set(name, place)
    }
    const { ids, visitors, kindsOf } = place.batch
    ids.push(fact.id)
    visitors.push(fact.visitor)
    kindsOf.push(place.kindOf)
  }
  return [...batches.values()]
}

function kindOf(fact: Fact, isRepeat: boolean): Kind {
  const { visits, isBot, device, agentFamily, productSlug, pageSlug, docSlug, downloadId, versionId } = fact
  const { referrerHost, utm } = fact
  return {
    ...{ visits, is_bot: isBot, is_repeat: isRepeat, device, agent_family: agentFamily },
    ...(productSlug === null ? {} : { product_slug: productSlug }),
    ...(pageSlug === null ? {} : { page_slug: pageSlug }),
    ...(docSlug === null ? {} : { doc_slug: docSlug }),
    ...(downloadId === null ? {} : { download_id: downloadId }),
    ...(versionId === null ? {} : { version_id: versionId }),
    ...(referrerHost === null ? {} : { referrer_host: referrerHost }),
    ...(utm === null ? {} : { utm }),
  }
}
