import { newId } from '../../kernel/ids.ts'
import { otherReferrer } from './daily-limits.ts'
import type { VisitRecord } from './visit.rules.ts'

export type OverflowRollup = {
  add(fact: VisitRecord): void
  /** Keeps only what was visited, when, and the kind of device: nothing that a sender can invent. */
  addPlainly(fact: VisitRecord): void
  /** Returns everything as records that each stand for several visits, and empties itself. */
  take(): VisitRecord[]
  visits(): number
}

/** Distinct records; further visits are only counted by type, day and robot or not. */
const groupsMax = 2000

/**
 * Takes visits when they cannot be kept one by one, because the database is unreachable for long or a day has too many.
 * Only the visitor and the campaign are lost. A repeat within 30 seconds counts as another view.
 */
export function overflowRollup(): OverflowRollup {
  let groups = new Map<string, VisitRecord>()
  let visits = 0

  const addTo = (key: string, make: () => VisitRecord, count: number): void => {
    const group = groups.get(key) ?? make()
    group.visits += count
    groups.set(key, group)
  }

  const add = (fact: VisitRecord): void => {
    const { type, at, day, isBot } = fact
    visits += fact.visits
    const key = detailedKey(fact)
    if (groups.has(key) || groups.size < groupsMax)
      addTo(key, () => ({ ...fact, id: newId(at), visits: 0, visitor: null, utm: null }), fact.visits)
    else addTo(`${type} ${day} ${isBot}`, () => withoutDetails(fact), fact.visits)
  }

  return {
    add,
    addPlainly: (fact) =>
      add({ ...fact, agentFamily: 'other', referrerHost: fact.referrerHost === null ? null : otherReferrer }),
    take: () => {
      const taken = [...groups.values()]
      groups = new Map()
      visits = 0
      return taken
    },
    visits: () => visits,
  }
}

function detailedKey(fact: VisitRecord): string {
  return [
    fact.type,
    fact.at.toISOString().slice(0, 13),
    fact.productId,
    fact.pageSlug,
    fact.docSlug,
    fact.downloadId,
    fact.versionId,
    fact.device,
    fact.agentFamily,
    fact.referrerHost,
  ].join(' ')
}

function withoutDetails({ type, at, day, isBot, device }: VisitRecord): VisitRecord {
  return {
    id: newId(at),
    type,
    at,
    day,
    visits: 0,
    isBot,
    device,
    agentFamily: 'other',
    productId: null,
    productSlug: null,
    pageSlug: null,
    docSlug: null,
    downloadId: null,
    versionId: null,
    visitor: null,
    referrerHost: null,
    utm: null,
  }
}
