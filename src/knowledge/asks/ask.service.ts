import type { TenantModel } from '../../ai/tenant-model.ts'
import type { UsagePolicy } from '../../http/limits/usage-policy.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isId, newId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Metering } from '../../usage/index.ts'
import type { CitedPlace, Quote } from '../search/passage.rules.ts'
import type { PassageReader } from '../search/passages.ts'
import type { Searching } from '../search/search.service.ts'
import type { Asking, SearchFilter } from '../search/visible.store.ts'
import { type Ask, type AskFeedback, type AskPart, asksKeptSince, type KeptAsk } from './ask.rules.ts'
import { type AskLine, deleteAsk, findAsk, insertAsk, listAsks, saveFeedback } from './ask.store.ts'
import type { DraftAnswer, Drafted } from './draft-answer.ts'

export type AskDeps = {
  clock: Clock
  members: OrganizationMembers
  searching: Searching
  draft: DraftAnswer
  passages: PassageReader
  metering: Pick<Metering, 'countAnswer'>
  /** Null: all answers consist of quotes. */
  model: TenantModel | null
  /** Called once for each answer. */
  recordAsk(outcome: { engine: 'local' | 'llm'; found: boolean }): void
}

type User = { id: string }
type Asker = { user: User; orgId: string }
export type Question = { text: string; filter: SearchFilter; engine: 'auto' | 'local' }

/** An answer with its quotes, as the asker may read them now. */
export type QuotedAsk<A extends Ask = Ask> = { ask: A; citations: Quote[]; parts: AskPart[]; closest: Quote[] }

/** With the limits of usage that hold for it. */
type MeteredAsk = QuotedAsk & { usage: UsagePolicy[] }

export type Asks = ReturnType<typeof askService>

/** Answers questions from what the asker may read, with quotes to the letter. */
export function askService(deps: AskDeps) {
  const { clock, members, searching, passages, model, draft } = deps

  /**
   * Refuses NOT_FOUND to who is no member, USAGE_EXCEEDED, and UNAVAILABLE where too many ask.
   * @param onCounted receives the limits as soon as the answer is counted, which is before it is made
   */
  async function ask(
    scope: TenantScope,
    { user, orgId }: Asker,
    question: Question,
    onCounted: (usage: UsagePolicy[]) => void = () => undefined,
  ): Promise<MeteredAsk> {
    await members.get(scope, user, { orgId })
    const asking: Asking = { orgId, reader: { userId: user.id }, filter: question.filter }
    const usesModel = model !== null && question.engine === 'auto'
    const use = { orgId, userId: user.id, engine: usesModel ? 'llm' : 'local' } as const
    const { kept, usage } = await deps.metering.countAnswer(scope, use, async (isWithin, counted) => {
      onCounted(counted)
      const { drafts, corrected } = await draft(scope, {
        ...{ asking, question: question.text, usesModel, isWithin },
        subject: { orgId, userId: user.id },
      })
      const searched = await searching.totals(scope, asking)
      const rest = { asking, user, question: question.text, corrected, searched }
      const kept = await keep(
        scope,
        { asking, user },
        drafts.map((drafted) => toAsk({ drafted, ...rest })),
      )
      return { engine: kept.ask.engine, kept }
    })
    deps.recordAsk({ engine: kept.ask.engine, found: kept.ask.found })
    return { ...kept, usage }
  }

  /** Stores the first of the drafts that still rests on something, or else the last one. */
  const keep = (
    scope: TenantScope,
    { asking, user }: { asking: Asking; user: User },
    drafts: readonly Ask[],
  ): Promise<QuotedAsk> =>
    transaction(scope, async (tx) => {
      // Neither the organization nor the membership ends, and nothing that is cited is erased, before the answer is stored.
      if ((await members.holdRole(tx, { orgId: asking.orgId, userId: user.id })) === null) throw notFound()
      await passages.hold(
        tx,
        drafts.flatMap(({ citations, closest }) => [...citations, ...closest]),
      )
      for (const [index, ask] of drafts.entries()) {
        const current = await quoteAgain(tx, { ...asking, isCurrent: true }, ask)
        if (ask.found && !current.ask.found && index < drafts.length - 1) continue
        await insertAsk(tx, current.ask)
        return current
      }
      throw new Error('A question has an answer.')
    })

  type Drawn = Pick<Ask, 'question' | 'corrected' | 'searched'> & { drafted: Drafted; asking: Asking; user: User }

  function toAsk({ drafted, asking, user, ...rest }: Drawn): Ask {
    const { parts, closest, engine, ...outcome } = drafted
    const now = clock.now()
    const citations: CitedPlace[] = []
    const number = (place: CitedPlace) => {
      const known = citations.findIndex((it) => isSamePlace(it, place))
      return known === -1 ? citations.push(place) - 1 : known
    }
    const numbered = parts.map(({ text, quotes }) => ({ text, citations: quotes.map(number) }))
    const named = { engine, model: engine === 'llm' ? (model?.model ?? null) : null }
    const key = { id: newId(now), orgId: asking.orgId, userId: user.id, createdAt: now }
    return { ...key, ...rest, ...outcome, ...named, parts: numbered, citations, closest }
  }

  /** Reads all quotes at this moment. What the asker may no longer read is left out, with the sentences based on it. */
  async function quoteAgain<A extends Ask>(
    scope: TenantScope,
    asking: Pick<Asking, 'orgId' | 'reader'> & { isCurrent: boolean },
    ask: A,
  ): Promise<QuotedAsk<A>> {
    const quotes = await passages.quote(scope, asking, [...ask.citations, ...ask.closest])
    const cited = quotes.slice(0, ask.citations.length)
    const left = ask.parts.filter(
      ({ citations }) => citations.length > 0 && citations.every((index) => cited[index] !== null),
    )
    const used = [...new Set(left.flatMap(({ citations }) => citations))].sort((a, b) => a - b)
    const parts = left.map(({ text, citations }) => ({
      text,
      citations: citations.map((index) => used.indexOf(index)),
    }))
    const citations = used.flatMap((index) => cited[index] ?? [])
    const closest = quotes.slice(ask.citations.length).flatMap((quote) => quote ?? [])
    const current = { ...ask, found: ask.found && parts.length > 0, parts, citations, closest }
    return { ask: current, parts, citations, closest }
  }

  async function getOwn(scope: TenantScope, { user, orgId }: Asker, id: string): Promise<KeptAsk> {
    await members.get(scope, user, { orgId })
    const kept = isId(id)
      ? await findAsk(scope, { orgId, userId: user.id, id, since: asksKeptSince(clock.now()) })
      : null
    if (kept === null) throw notFound()
    return kept
  }

  /** Refuses NOT_FOUND. */
  const get = async (scope: TenantScope, asker: Asker, id: string): Promise<QuotedAsk<KeptAsk>> =>
    quoteAgain(
      scope,
      { orgId: asker.orgId, reader: { userId: asker.user.id }, isCurrent: false },
      await getOwn(scope, asker, id),
    )

  /** Refuses NOT_FOUND. */
  async function list(scope: TenantScope, { user, orgId }: Asker, page: PageRequest): Promise<Page<AskLine>> {
    await members.get(scope, user, { orgId })
    return listAsks(scope, { orgId, userId: user.id, since: asksKeptSince(clock.now()) }, page)
  }

  /** Refuses NOT_FOUND. */
  const remove = (scope: TenantScope, asker: Asker, id: string): Promise<void> =>
    transaction(scope, async (tx) => {
      await getOwn(tx, asker, id)
      await deleteAsk(tx, { orgId: asker.orgId, userId: asker.user.id, id })
    })

  /** Replaces what was said before. Refuses NOT_FOUND. */
  const giveFeedback = (scope: TenantScope, asker: Asker, { id, feedback }: { id: string; feedback: AskFeedback }) =>
    transaction(scope, async (tx) => {
      await getOwn(tx, asker, id)
      await saveFeedback(tx, { orgId: asker.orgId, userId: asker.user.id, id }, feedback)
      return get(tx, asker, id)
    })

  return { ask, get, list, remove, giveFeedback }
}

function isSamePlace(a: CitedPlace, b: CitedPlace): boolean {
  return (
    a.itemId === b.itemId && a.version === b.version && a.place === b.place && a.start === b.start && a.end === b.end
  )
}
