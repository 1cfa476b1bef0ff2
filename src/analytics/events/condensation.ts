import { newId } from '../../kernel/ids.ts'
import { otherReferrer } from './daily-limits.ts'
import type { Fact } from './visit.rules.ts'

export type Condensation = {
  add(fact: Fact): void
  /** Only what was visited, when, and with what kind of device: nothing that a sender can invent. */
  addPlainly(fact: Fact): void
  /** All of it, as facts that stand for several visits each; empty afterwards. */
  take(): Fact[]
  visits(): number
}

/** Different ones; further visits differ by type, day, and whether it was a robot alone. */
const groupsMax = 2000

/**
 * Where visits go when the database is away for so long, or a day brings so many, that they cannot all be kept one by one:
 * nothing of them is lost but who it was and from which campaign. Who comes back within 30 seconds is counted again.
 */
export function condensation(): Condensation {
  let groups = new Map<string, Fact>()
  let visits = 0

  const addTo = (key: string, make: () => Fact, count: number): void => {
    const group = groups.get(key) ?? make()
    group.visits += count
    groups.set(key, group)
  }

  const add = (fact: Fact): void => {
    const { type, at, day, isBot } = fact
    visits += fact.visits
    const key = detailedKeyOf(fact)
    if (groups.has(key) || groups.size < groupsMax)
      addTo(key, () => ({ ...fact, id: newId(at), visits: 0, visitor: null, utm: null }), fact.visits)
    else addTo(`${type} ${day} ${isBot}`, () => plainOf(fact), fact.visits)
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

function detailedKeyOf(fact: Fact): string {
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

function plainOf({ type, at, day, isBot, device }: Fact): Fact {
  return {
    ...{ id: newId(at), type, at, day, visits: 0, isBot, device, agentFamily: 'other' },
    ...{ productId: null, productSlug: null, pageSlug: null, docSlug: null, downloadId: null, versionId: null },
    ...{ visitor: null, referrerHost: null, utm: null },
  }
}
