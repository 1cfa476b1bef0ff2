import { randomBytes } from 'node:crypto'
import type { UsagePolicy } from '../../http/limits/usage-policy.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { type MeetingHosts, type MeetingLink, readMeetingLink } from '../../kernel/meeting-links.ts'
import { refuseOverQuota } from '../../kernel/quota.ts'
import { invalidField, Refusal } from '../../kernel/refusal.ts'
import type { BotMeetings, Meeting } from '../../meetings/index.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Secrets } from '../../storage/secrets.ts'
import type { Metering, Quotas } from '../../usage/index.ts'
import { autoLeaveDefault, type Bot } from '../bot.rules.ts'
import type { BotMinutes } from '../minutes/bot-minutes.ts'
import { findPause } from '../pause/pause.store.ts'
import { findPolicy } from '../policies/policy.store.ts'
import { chooseProvider } from '../providers/choose-provider.ts'
import type { Replays } from '../providers/replay.service.ts'
import type { Script } from '../providers/script.ts'
import { lateMs } from '../reasons.rules.ts'
import { listRunnerPlatforms } from '../runners/runner.store.ts'
import { newToken } from '../runners/runner-token.rules.ts'
import type { VendorName } from '../vendor.rules.ts'
import type { NewBot } from './bot.schema.ts'
import { countLiveBots, findLiveBot, hasHadBot, insertBot } from './bot.store.ts'
import type { BotTransitions, Locked } from './bot-transitions.ts'
import { botName, consentText } from './consent.rules.ts'
import { earlyMs } from './deadlines.rules.ts'
import { linkContext } from './link-seal.ts'
import { blankBot, readJoinAt } from './new-bot.rules.ts'
import { transition } from './transitions.rules.ts'

export type DeployDeps = {
  clock: Clock
  audit: Audit
  quotas: Quotas
  metering: Metering
  members: OrganizationMembers
  meetings: BotMeetings
  meetingHosts: MeetingHosts
  secrets: Secrets
  minutes: BotMinutes
  transitions: BotTransitions
  replays: Replays
  /** Vendors at which the tenant has an account. */
  vendorsSetUp(scope: TenantScope): Promise<VendorName[]>
}

type User = { id: string }
/** `usage`: the limits that hold for it. */
export type Deployed = { bot: Bot; isNew: boolean; ingestToken: string | null; usage: UsagePolicy[] }

type Sent = { bot: Bot; usage: UsagePolicy[] }

/** What a deployment is about. */
type Target = { meetingId: string | null; link: MeetingLink | null; script: Script | null }

export type Deployments = ReturnType<typeof deployService>

/** Sends bots to meetings: one for each occurrence, no matter who asks. */
export function deployService(deps: DeployDeps) {
  const {
    clock,
    audit,
    quotas,
    metering,
    members,
    meetings,
    meetingHosts,
    secrets,
    minutes,
    transitions,
    replays,
    vendorsSetUp,
  } = deps

  /**
   * @param file what `readFile` has read
   * Refuses with VALIDATION_ERROR, NOT_FOUND, INSUFFICIENT_ROLE, QUOTA_EXCEEDED, USAGE_EXCEEDED, STATE_CONFLICT and
   * NOT_CONFIGURED.
   */
  async function deploy(
    scope: TenantScope,
    user: User,
    { body, file, isByCalendar = false }: { body: NewBot; file: Script | null; isByCalendar?: boolean },
  ): Promise<Deployed> {
    const target = await readTarget(scope, user, { body, file })
    const joinAt = body.joinAt ? readJoinAt(body.joinAt, clock.now()) : null
    return transaction(scope, async (tx) => {
      const { maxLiveBots } = await quotas.lockLimits(tx, user.id)
      const pause = await findPause(tx)
      if (pause !== null)
        throw new Refusal('STATE_CONFLICT', { detail: `Bots are paused${pause.reason ? `: ${pause.reason}` : ''}.` })
      const meeting = target.meetingId === null ? null : await requireDeployable(tx, user, target.meetingId)
      const orgId = meeting?.orgId ?? body.orgId ?? null
      if (meeting === null && orgId !== null) await members.get(tx, user, { orgId, least: 'member' })
      const at =
        joinAt ?? (meeting?.status === 'scheduled' && isAhead(meeting.scheduledAt) ? meeting.scheduledAt : null)
      const ownerId = orgId ?? user.id
      const room = target.link?.roomId ?? (meeting === null ? `new:${newId(clock.now())}` : `meeting:${meeting.id}`)
      const found = await findOccurrence(tx, { ownerId, room, joinAt: at })
      if (found !== null) {
        const bot = isByCalendar ? found : await addRequester(tx, found, user)
        return { bot, isNew: false, ingestToken: null, usage: [] }
      }
      if (isByCalendar) await requireUnserved(tx, { ownerId, room, meetingId: target.meetingId, joinAt })
      if (maxLiveBots !== null) refuseOverQuota('maxLiveBots', maxLiveBots, await countLiveBots(tx))
      const created = await create(tx, user, {
        ...{ body, target, meeting, orgId, ownerId, room, joinAt: at, isByCalendar },
      })
      return { ...created, isNew: true }
    })
  }

  /** Reads a source that is a file, which may take long. Null: there is none. Refuses with VALIDATION_ERROR. */
  const readFile = async ({ source }: NewBot): Promise<Script | null> =>
    source === undefined ? null : replays.readFile(source)

  /** Reads the link and the source. Refuses with VALIDATION_ERROR and NOT_FOUND. */
  async function readTarget(
    scope: TenantScope,
    user: User,
    { body, file }: { body: NewBot; file: Script | null },
  ): Promise<Target> {
    const { meetingUrl, meetingId = null, provider, source } = body
    if (meetingUrl !== undefined && meetingId !== null)
      throw invalidField('/body/meetingId', { code: 'unknown', message: 'cannot be sent with meetingUrl' })
    if (source !== undefined && provider !== undefined && provider !== 'replay')
      throw invalidField('/body/source', { code: 'unknown', message: 'is only for the provider replay' })
    if (meetingId !== null) await meetings.get(scope, user, meetingId)
    const script = file ?? (source === undefined ? null : await replays.find(scope, user, source))
    const text = meetingUrl ?? (meetingId === null ? null : await meetings.joinUrl(scope, meetingId))
    const link = text === null ? null : readMeetingLink(text, meetingHosts)
    if (
      text !== null &&
      link?.platform == null &&
      (meetingUrl !== undefined || !['push', 'replay'].includes(provider ?? ''))
    )
      throw invalidField(meetingUrl === undefined ? '/body/meetingId' : '/body/meetingUrl', {
        code: 'format',
        message:
          'must have an https link to a meeting on Zoom, Google Meet, Teams, Jitsi, or a host of BOT_MEETING_HOSTS',
      })
    return { meetingId, link: link?.platform == null ? null : link, script }
  }

  const isAhead = (at: Date | null) => at !== null && at.getTime() > clock.now().getTime() + earlyMs

  /** Who may write in the meeting, or is a member of its organization and no viewer. Refuses with NOT_FOUND and INSUFFICIENT_ROLE. */
  async function requireDeployable(tx: TenantScope, user: User, meetingId: string) {
    const meeting = await meetings.get(tx, user, meetingId)
    const { access, orgId, status } = meeting
    const role = access === 'read' && orgId !== null ? await members.holdRole(tx, { orgId, userId: user.id }) : null
    if (access === 'read' && (role === null || role === 'viewer'))
      throw new Refusal('INSUFFICIENT_ROLE', { detail: 'Viewers cannot send bots.' })
    if (status !== 'scheduled' && status !== 'active')
      throw new Refusal('STATE_CONFLICT', {
        detail: `The meeting is ${status}. A bot can join only a meeting that is scheduled or active.`,
      })
    return meeting
  }

  function findOccurrence(
    tx: TenantScope,
    { ownerId, room, joinAt }: { ownerId: string; room: string; joinAt: Date | null },
  ) {
    const nowMs = clock.now().getTime()
    const startKey = joinAt === null || joinAt.getTime() <= nowMs + earlyMs ? '' : joinAt.toISOString()
    return findLiveBot(
      tx,
      { ownerId, room, startKey },
      { from: new Date(nowMs - lateMs), to: new Date(nowMs + lateMs) },
    )
  }

  async function addRequester(tx: TenantScope, found: Bot, user: User): Promise<Bot> {
    if (found.requesters.includes(user.id) && !found.watch.isByCalendar) return found
    const locked = await transitions.lock(tx, found.id)
    if (locked === null) return found
    const { isByCalendar: _, ...watch } = locked.bot.watch
    const bot = { ...locked.bot, requesters: [...new Set([...locked.bot.requesters, user.id])], watch }
    return transitions.apply(tx, locked, { bot, events: [] })
  }

  type Creation = {
    body: NewBot
    target: Target
    meeting: Meeting | null
    orgId: string | null
    ownerId: string
    room: string
    joinAt: Date | null
    isByCalendar: boolean
  }

  async function create(
    tx: TenantScope,
    user: User,
    { body, target, orgId, ownerId, room, joinAt, isByCalendar, ...rest }: Creation,
  ) {
    const now = clock.now()
    const platform = target.link?.platform ?? 'none'
    const policy = await findPolicy(tx, ownerId)
    const asked = body.provider ?? (target.script === null ? null : 'replay')
    const usable = asked ?? (platform === 'none' ? null : (policy?.provider ?? null))
    const provider = chooseProvider(usable, platform, await listRunnerPlatforms(tx), await vendorsSetUp(tx))
    const made = rest.meeting
      ? { meeting: rest.meeting, usage: [] }
      : await newMeeting(tx, user, { body, orgId, joinAt, isSample: target.link === null })
    const meetingId = made.meeting.id
    const isLater = joinAt !== null && joinAt.getTime() > now.getTime() + earlyMs
    const displayName = botName(body.displayName ?? null)
    const mode = body.consentMode ?? 'notice'
    const id = newId(now)
    const bot: Bot = {
      ...blankBot(now),
      ...{ id, tenantId: tx.tenantId, meetingId, orgId, ownerId, requestedBy: user.id, requesters: [user.id] },
      ...{ platform, provider, displayName, joinAt },
      room: room.startsWith('new:') ? `meeting:${meetingId}` : room,
      startKey: isLater ? joinAt.toISOString() : '',
      autoLeave: { ...autoLeaveDefault, ...body.autoLeave },
      consent: {
        ...{ mode, postedAt: null, delivered: false, decisions: [] },
        message: consentText({ given: body.consentMessage ?? null, displayName, mode }),
      },
      chatAnswers: body.chatAnswers ?? 'none',
      speed: body.speed ?? 1,
      watch: isByCalendar ? { isByCalendar } : {},
    }
    const ingest = provider === 'push' ? newToken('ingest', randomBytes) : null
    const linkSealed = target.link === null ? null : secrets.seal(target.link.url, linkContext(bot))
    await insertBot(tx, bot, { linkSealed, ingestHash: ingest?.hash ?? null })
    if (provider === 'replay') await replays.store(tx, bot.id, target.script ?? replays.sample)
    await audit(tx, { action: 'bot.deploy', target: { type: 'bot', id }, changes: { meetingId, provider, platform } })
    const sent = isLater ? await settleIn(tx, id, joinAt) : await start(tx, id)
    return { bot: sent.bot, ingestToken: ingest?.token ?? null, usage: [...made.usage, ...sent.usage] }
  }

  /** A bot that was sent away, or that has served, does not come again because a calendar is read again. */
  async function requireUnserved(
    tx: TenantScope,
    { meetingId, joinAt, ...place }: { ownerId: string; room: string; meetingId: string | null; joinAt: Date | null },
  ): Promise<void> {
    if (meetingId === null || joinAt === null) return
    if (await hasHadBot(tx, { ...place, meetingId, joinAt }))
      throw new Refusal('STATE_CONFLICT', { detail: 'A bot was sent to this meeting before.' })
  }

  /** A bot for a meeting of a calendar: none where there was one already. Refuses as `deploy` does. */
  const deployForCalendar = (
    scope: TenantScope,
    user: User,
    { meetingId, joinAt }: { meetingId: string; joinAt: Date },
  ): Promise<Deployed> =>
    deploy(scope, user, { body: { meetingId, joinAt: joinAt.toISOString() }, file: null, isByCalendar: true })

  /** Sets when the service checks it next. Refuses with USAGE_EXCEEDED where limits leave nothing for that time. */
  async function settleIn(tx: TenantScope, id: string, joinAt: Date): Promise<Sent> {
    const locked = await lockNew(tx, id)
    const wordsLeft = await meetings.requireWordsLeft(tx, locked.meeting, joinAt)
    const { orgId, requestedBy: userId } = locked.bot
    const minutesLeft = await metering.requireLeft(tx, { meter: 'botMinutes', orgId, userId, at: joinAt })
    const bot = await transitions.apply(tx, locked, { bot: locked.bot, events: [] })
    return { bot, usage: [...minutesLeft, ...wordsLeft] }
  }

  async function lockNew(tx: TenantScope, id: string): Promise<Locked> {
    const locked = await transitions.lock(tx, id)
    if (locked === null) throw new Error('A new bot is there.')
    return locked
  }

  /** Sends a bot that is due. Refuses with USAGE_EXCEEDED. */
  async function start(tx: TenantScope, id: string): Promise<Sent> {
    const locked = await lockNew(tx, id)
    const now = clock.now()
    const step = transition(locked.bot, { to: 'queued', now })
    if (step === null) throw new Error('A scheduled bot is there.')
    const wordsLeft = await meetings.requireWordsLeft(tx, locked.meeting, now)
    const reserved = await minutes.reserve(tx, step.bot)
    let bot = await transitions.apply(tx, locked, { ...step, bot: reserved.bot })
    // Nothing has to be waited for.
    if (bot.provider === 'push' || bot.provider === 'replay') bot = await follow(tx, bot, 'joining')
    if (bot.provider === 'push') bot = await follow(tx, bot, 'in_meeting')
    return { bot, usage: [...reserved.usage, ...wordsLeft] }
  }

  async function follow(tx: TenantScope, bot: Bot, to: 'joining' | 'in_meeting'): Promise<Bot> {
    const step = transition(bot, { to, now: clock.now() })
    if (step === null) return bot
    // Whoever pushes the entries tells the participants what is kept: there is no chat here.
    const consent =
      to === 'in_meeting' ? { ...step.bot.consent, postedAt: clock.now().toISOString() } : step.bot.consent
    return transitions.apply(tx, { bot }, { ...step, bot: { ...step.bot, consent } })
  }

  async function newMeeting(
    tx: TenantScope,
    user: User,
    { body, orgId, joinAt, isSample }: { body: NewBot; orgId: string | null; joinAt: Date | null; isSample: boolean },
  ): Promise<{ meeting: Meeting; usage: UsagePolicy[] }> {
    return meetings.create(tx, user, {
      title: isSample ? 'Replayed meeting' : 'Meeting with a bot',
      ...(body.meetingUrl === undefined ? {} : { joinUrl: body.meetingUrl }),
      ...(orgId === null ? {} : { orgId }),
      ...(joinAt === null ? {} : { scheduledAt: joinAt.toISOString() }),
    })
  }

  return { readFile, deploy, deployForCalendar, start }
}
