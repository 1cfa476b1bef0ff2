import { setTimeout as delay } from 'node:timers/promises'
import { findChromium } from './browser/browser.ts'
import type { Folder } from './folder.ts'
import { errorMessage, type Log } from './log.ts'
import { openMeetingPage } from './meeting-page.ts'
import type { Options } from './options.ts'
import { outbox } from './outbox.ts'
import { type Claim, platforms } from './protocol.ts'
import { Refused, type ServiceClient } from './service-client.ts'
import { surfaces } from './surfaces/surfaces.ts'
import { transcriber } from './transcriber.ts'
import { type Visit, visit } from './visit.ts'
import { visitReports } from './visit-reports.ts'

/** Why the runner ends by itself. */
export type FinalRefusal = 'superseded' | 'token refused'

type Deps = {
  options: Options
  service: ServiceClient
  outboxFolder: Folder
  profileFolder: Folder
  log: Log
}

/**
 * Each call stays open, so commands come at once, and the platform notices to the second when this program is killed. The
 * pause keeps commands that take a moment from being asked for again and again.
 */
const heartbeatPauseMs = 500
const retryMs = 1_000
/** What was said stays on disk no longer than this. */
const outboxMsMax = 600_000

/** Takes bots as long as there is room, until `signal`; then leaves all meetings, and says so. */
export async function runner(deps: Deps, signal: AbortSignal): Promise<'stopped' | FinalRefusal> {
  const { options, service, log } = deps
  const browserPath = findChromium(options.browserPath)
  const stopping = new AbortController()
  const visits = new Map<string, Visit & { lease: number; over: Promise<void> }>()
  let ending: 'stopped' | FinalRefusal = 'stopped'
  let answeredAtMs = performance.now()
  let isAway = false
  /** Aborted when there is a lease that the open call does not name. */
  let renewing = new AbortController()

  const stop = (why: 'stopped' | FinalRefusal) => {
    if (!stopping.signal.aborted) ending = why
    stopping.abort()
  }
  signal.addEventListener('abort', () => stop('stopped'))
  if (signal.aborted) return 'stopped'

  const begin = (claim: Claim) => {
    const { id } = claim.bot
    log.info('Took a bot', { bot: id, attempt: claim.bot.attempt, platform: claim.bot.platform })
    const { visit: begun, over } = startVisit(deps, claim, browserPath)
    const held = { ...begun, lease: claim.lease, over: over.finally(() => visits.delete(id)) }
    visits.set(id, held)
    renewing.abort()
  }
  const onAnswer = () => {
    if (isAway) log.info('The platform answers again')
    isAway = false
    answeredAtMs = performance.now()
  }
  const claimOnce = async () => {
    const claim = await service.claim([...platforms], stopping.signal)
    onAnswer()
    if (claim) begin(claim)
  }
  const heartbeatOnce = async () => {
    const leases = [...visits].map(([botId, { lease, status }]) => ({ botId, lease, status: status() }))
    if (leases.length === 0) return
    renewing = new AbortController()
    const isOutdated = renewing.signal
    const answer = await service
      .heartbeat(leases, AbortSignal.any([isOutdated, stopping.signal]))
      .catch((error: unknown) => {
        if (isOutdated.aborted) return undefined
        throw error
      })
    if (answer === undefined) return
    const { commands, lost } = answer
    onAnswer()
    for (const command of commands) visits.get(command.botId)?.command(command)
    for (const botId of lost) visits.get(botId)?.abandon()
  }
  const onFailure = (error: unknown) => {
    if (error instanceof Refused && error.code === 'NODE_SUPERSEDED') return stop('superseded')
    if (error instanceof Refused && error.status === 401) return stop('token refused')
    if (!isAway && !stopping.signal.aborted)
      log.warn('The platform does not answer; bots stay in their meetings', { reason: errorMessage(error) })
    isAway = true
    const awayMs = performance.now() - answeredAtMs
    if (awayMs > options.awaySecondsMax * 1000) for (const one of visits.values()) one.abandon()
  }
  const repeat = async (work: () => Promise<void>, pauseMs: number) => {
    while (!stopping.signal.aborted) {
      const failed = await work().then(
        () => false,
        (error) => {
          onFailure(error)
          return true
        },
      )
      const ms = failed ? retryMs * (0.5 + Math.random()) : pauseMs
      await delay(ms, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }

  await Promise.all([
    repeat(async () => (visits.size < options.slots ? claimOnce() : delay(200)), 0),
    repeat(heartbeatOnce, heartbeatPauseMs),
  ])
  const isOurs = ending === 'stopped'
  for (const one of visits.values())
    one.abandon(isOurs ? { status: 'failed', reason: 'RUNNER_LOST', detail: 'The runner was stopped' } : undefined)
  await Promise.all([...visits.values()].map(({ over }) => over))
  return ending
}

function startVisit(deps: Deps, claim: Claim, browserPath: string): { visit: Visit; over: Promise<void> } {
  const { options, service, outboxFolder, profileFolder, log } = deps
  const { bot, lease } = claim
  const name = `${bot.id}-${lease}`
  const lastResort = () => begun.abandon()
  const box = outbox({
    folder: outboxFolder,
    name: `${name}.jsonl`,
    service,
    log,
    wallMs: Date.now,
    ageMsMax: outboxMsMax,
    onLeaseLost: lastResort,
  })
  const { extraHosts, allowsPrivateHosts, hasSandbox, speechToText } = options
  const surface = surfaces[bot.platform]
  const begun = visit({
    claim,
    reports: visitReports(claim, box, Date.now),
    log,
    nowMs: () => performance.now(),
    transcriber: speechToText && surface.sound !== null ? transcriber(speechToText, log) : undefined,
    sendArtifact: (artifact) => service.artifact({ botId: bot.id, lease }, artifact),
    openPage: (on) =>
      openMeetingPage(claim.link, {
        surface,
        browserPath,
        hasSandbox,
        profile: profileFolder.path(name),
        extraHosts,
        allowsPrivateHosts,
        onSight: on.sight,
        onGone: on.gone,
      }),
  })
  const over = begun.run().then(async () => {
    await profileFolder.remove(name)
    await box.drained()
  })
  return { visit: begun, over }
}
