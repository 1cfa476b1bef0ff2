import type { Device } from './user-agent.rules.ts'
import type { VisitRecord } from './visit.rules.ts'

/** What visits of one row share, named as in `analytics_events`; null members are left out. */
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
  /** One entry per visit; `kindsOf` is an index into `kinds`. */
  ids: string[]
  visitors: (string | null)[]
  kindsOf: number[]
}

/** The longest time that a row covers: a visit is in a row that started within this time before it. */
export const batchMs = 60_000

/**
 * For each visit, the index of the first one that differs only in time and visitor. Everything that follows from the rest
 * is computed once for all of them.
 */
export function firstEqualIndexes(facts: VisitRecord[]): number[] {
  // A linear search per visited thing is cheaper than building a key from all members.
  const firsts = new Map<string, number[]>()
  return facts.map((fact, index) => {
    const thing = fact.docSlug ?? fact.pageSlug ?? fact.productId ?? ''
    const known = firsts.get(thing) ?? []
    const first = known.find((other) => areEqual(facts[other] as VisitRecord, fact)) ?? index
    if (first === index) firsts.set(thing, [...known, index])
    return first
  })
}

function areEqual(one: VisitRecord, other: VisitRecord): boolean {
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

/** @param alike from `firstEqualIndexes`. */
export function groupIntoBatches(facts: VisitRecord[], alike: number[], isRepeat: boolean[]): Batch[] {
  const batches = new Map<string, Batch>()
  const places = new Map<string, { batch: Batch; kindOf: number }>()

  const rowKey = (fact: VisitRecord, repeats: boolean, minute: number) => {
    const { day, type, productId } = fact
    const name = `${minute} ${type} ${productId}`
    const made = { day, type, productId, kinds: [], ids: [], visitors: [], kindsOf: [] }
    const batch = batches.get(name) ?? made
    batches.set(name, batch)
    return { batch, kindOf: batch.kinds.push(batchKind(fact, repeats)) - 1 }
  }

  for (const [index, fact] of facts.entries()) {
    const minute = Math.floor(fact.at.getTime() / batchMs)
    const repeats = isRepeat[index] === true
    const name = `${alike[index]} ${repeats} ${minute}`
    let place = places.get(name)
    if (place === undefined) {
      place = rowKey(fact, repeats, minute)
      places.set(name, place)
    }
    const { ids, visitors, kindsOf } = place.batch
    ids.push(fact.id)
    visitors.push(fact.visitor)
    kindsOf.push(place.kindOf)
  }
  return [...batches.values()]
}

function batchKind(fact: VisitRecord, isRepeat: boolean): Kind {
  const { visits, isBot, device, agentFamily, productSlug, pageSlug, docSlug, downloadId, versionId } = fact
  const { referrerHost, utm } = fact
  return {
    visits,
    is_bot: isBot,
    is_repeat: isRepeat,
    device,
    agent_family: agentFamily,
    ...(productSlug === null ? {} : { product_slug: productSlug }),
    ...(pageSlug === null ? {} : { page_slug: pageSlug }),
    ...(docSlug === null ? {} : { doc_slug: docSlug }),
    ...(downloadId === null ? {} : { download_id: downloadId }),
    ...(versionId === null ? {} : { version_id: versionId }),
    ...(referrerHost === null ? {} : { referrer_host: referrerHost }),
    ...(utm === null ? {} : { utm }),
  }
}
