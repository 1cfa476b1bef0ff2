import { requireRevision } from '../../http/cache/precondition.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isId } from '../../kernel/ids.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import type { BotMeetings } from '../../meetings/index.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Quotas } from '../../usage/index.ts'
import { type Artifact, findArtifact, listArtifactNames } from '../artifacts/artifact.store.ts'
import { type Bot, isFinal } from '../bot.rules.ts'
import { countMessages } from '../command-queue/command.store.ts'
import type { Reason } from '../reasons.rules.ts'
import type { BotChange } from './bot.schema.ts'
import { findBot, forgetLink, listEvents, listLiveBots } from './bot.store.ts'
import type { BotTransitions, Locked } from './bot-transitions.ts'
import { earlyMs } from './deadlines.rules.ts'
import { changedBot, readJoinAt } from './new-bot.rules.ts'
import type { Transcriber } from './transcriber.ts'
import { askToLeave, type BotEvent, type Step } from './transitions.rules.ts'

type Deps = {
  clock: Clock
  audit: Audit
  quotas: Pick<Quotas, 'lockLimits'>
  members: OrganizationMembers
  meetings: BotMeetings
  transitions: BotTransitions
  transcriber: Transcriber
}

type User = { id: string; email: string }

const messagesPerMinute = 10

export type Bots = ReturnType<typeof botService>

export function botService({ clock, audit, quotas, members, meetings, transitions, transcriber }: Deps) {
  /** A bot whose meeting the user may read, or that the user asked for. Refuses with NOT_FOUND. */
  async function get(scope: TenantScope, user: { id: string }, id: string): Promise<Bot> {
    const bot = isId(id) ? await findBot(scope, id) : null
    if (bot === null) throw notFound()
    if (!bot.requesters.includes(user.id)) await meetings.get(scope, user, bot.meetingId)
    return bot
  }

  async function describe(
    scope: TenantScope,
    user: { id: string },
    id: string,
  ): Promise<{ bot: Bot; events: BotEvent[]; artifacts: string[] }> {
    const bot = await get(scope, user, id)
    return { bot, events: await listEvents(scope, id), artifacts: await listArtifactNames(scope, id) }
  }

  /** Those who asked for it, the owner of its meeting, and administrators of its organization. Refuses with NOT_FOUND and INSUFFICIENT_ROLE. */
  async function requireControl(scope: TenantScope, user: { id: string }, id: string): Promise<Bot> {
    const bot = await get(scope, user, id)
    if (bot.requesters.includes(user.id)) return bot
    const { access } = await meetings.get(scope, user, bot.meetingId)
    if (access === 'owner') return bot
    if (bot.orgId === null)
      throw new Refusal('INSUFFICIENT_ROLE', { detail: 'Only those who requested the bot may do this.' })
    await members.get(scope, user, { orgId: bot.orgId, least: 'admin' })
    return bot
  }

  /** Does something with a bot in its transaction, with an audit entry. */
  const act = (
    scope: TenantScope,
    { user, id, action }: { user: { id: string }; id: string; action: string | null },
    work: (locked: Locked, tx: TenantScope) => Promise<Step | null> | Step | null,
  ): Promise<Bot> =>
    transaction(scope, async (tx) => {
      await requireControl(tx, user, id)
      const locked = await transitions.lock(tx, id)
      if (locked === null) throw notFound()
      const step = await work(locked, tx)
      if (action !== null && step !== null) await audit(tx, { action, target: { type: 'bot', id } })
      return step === null ? locked.bot : transitions.apply(tx, locked, step)
    })

  /** Refuses with STATE_CONFLICT a bot that has left for its meeting, and a time at which another one goes there. */
  const update = (
    scope: TenantScope,
    { user, id, ifMatch }: { user: User; id: string; ifMatch?: string | undefined },
    body: BotChange,
  ): Promise<Bot> =>
    transaction(scope, async (tx) => {
      const now = clock.now()
      const joinAt = body.joinAt == null ? now : readJoinAt(body.joinAt, now)
      // A caller who sends a bot at this moment waits, and then finds this one at its new time.
      if (body.joinAt !== undefined) await quotas.lockLimits(tx, user.id)
      return act(tx, { user, id, action: 'bot.update' }, ({ bot }) => {
        requireRevision(ifMatch, bot)
        if (bot.status !== 'scheduled') throw conflict(bot, 'scheduled')
        if (Object.keys(body).length === 0) return null
        const changed = changedBot(bot, body)
        if (body.joinAt === undefined) return { bot: changed, events: [] }
        const isLater = joinAt.getTime() > now.getTime() + earlyMs
        return { bot: { ...changed, joinAt, startKey: isLater ? joinAt.toISOString() : '' }, events: [] }
      })
    })

  /** A second request changes nothing. */
  const leave = (scope: TenantScope, user: User, id: string): Promise<Bot> =>
    act(scope, { user, id, action: 'bot.leave' }, ({ bot }) =>
      askToLeave(bot, { reason: 'USER_REQUEST', now: clock.now() }),
    )

  /** Leaves, then forgets the link. */
  const remove = (scope: TenantScope, user: User, id: string): Promise<Bot> =>
    act(scope, { user, id, action: 'bot.delete' }, async ({ bot }, tx) => {
      await forgetLink(tx, id)
      return askToLeave(bot, { reason: 'USER_REQUEST', now: clock.now() }) ?? { bot, events: [] }
    })

  /** Refuses with STATE_CONFLICT a bot that is not in its meeting, and with RATE_LIMITED the eleventh message of a minute. */
  const message = (scope: TenantScope, user: User, { id, text }: { id: string; text: string }): Promise<Bot> =>
    act(scope, { user, id, action: 'bot.message' }, async ({ bot }, tx) => {
      if (bot.status !== 'in_meeting') throw conflict(bot, 'in_meeting')
      const now = clock.now()
      if (
        (await countMessages(tx, { botId: id, by: 'people', since: new Date(now.getTime() - 60_000) })) >=
        messagesPerMinute
      )
        throw new Refusal('RATE_LIMITED', { detail: 'A bot says at most 10 messages a minute.', retryAfterSeconds: 60 })
      await transitions.command(tx, bot, { kind: 'message', text, byUser: user.id })
      return { bot, events: [{ at: now, type: 'command', from: null, to: 'message', reason: null, detail: null }] }
    })

  /** The decision of the organizer. Refuses with STATE_CONFLICT a bot that is over. */
  const consent = (
    scope: TenantScope,
    user: User,
    { id, decision }: { id: string; decision: 'confirm' | 'refuse' },
  ): Promise<Bot> =>
    act(scope, { user, id, action: 'bot.consent' }, ({ bot }, tx) => {
      if (isFinal(bot.status)) throw conflict(bot, 'live')
      return transcriber.decided(tx, bot, {
        by: user.email,
        decision: decision === 'confirm' ? 'confirmed' : 'refused',
      })
    })

  /** Takes all bots of the tenant out of their meetings. Returns how many were live. */
  async function stopAll(scope: TenantScope, reason: string): Promise<number> {
    const live = await listLiveBots(scope)
    for (const { id } of live) await end(scope, id, { reason: 'KILLED', detail: reason })
    const changes = { bots: live.length, reason }
    await transaction(scope, (tx) =>
      audit(tx, { action: 'bot.stop-all', target: { type: 'tenant', id: scope.tenantId }, changes }),
    )
    return live.length
  }

  const end = (scope: TenantScope, id: string, { reason, detail = null }: { reason: Reason; detail?: string | null }) =>
    transitions.change(scope, id, ({ bot }) => askToLeave(bot, { reason, detail, now: clock.now() }))

  /** Refuses with NOT_FOUND. */
  async function artifact(
    scope: TenantScope,
    user: User,
    { id, name }: { id: string; name: string },
  ): Promise<Artifact> {
    await requireControl(scope, user, id)
    const found = await findArtifact(scope, { botId: id, name })
    if (found === null) throw notFound()
    return found
  }

  return {
    get,
    describe,
    update,
    leave,
    remove,
    message,
    consent,
    stopAll,
    end,
    artifact,
  }
}

function conflict(bot: Bot, needed: string): Refusal {
  return new Refusal('STATE_CONFLICT', { detail: `The bot is ${bot.status}. This needs a bot that is ${needed}.` })
}
