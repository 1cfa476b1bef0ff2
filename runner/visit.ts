import { setTimeout as delay } from 'node:timers/promises'
import { noticeRepeater } from './attendance.rules.ts'
import { errorMessage, type Log } from './log.ts'
import type { MeetingPage } from './meeting-page.ts'
import { inMeeting, type MeetingStay } from './meeting-stay.ts'
import { type Outcome, outcomeOf, outcomeOfError, unknownMsMax } from './outcome.rules.ts'
import type { Artifact, Claim, Command, Status } from './protocol.ts'
import { nothingSeen, type Sight } from './surfaces/surface.ts'
import type { Transcriber } from './transcriber.ts'
import type { Reports } from './visit-reports.ts'

export type VisitDeps = {
  claim: Claim
  reports: Reports
  log: Log
  /** Milliseconds of a clock that only goes forward. */
  nowMs: () => number
  openPage: (on: { sight: (sight: Sight) => void; gone: (message: string) => void }) => Promise<MeetingPage>
  sendArtifact: (artifact: Artifact) => Promise<void>
  /** Undefined: the page's captions are taken. */
  transcriber: Transcriber | undefined
}

export type Visit = {
  status(): Status
  /** Resolves when the browser is gone. Never rejects. */
  run(): Promise<void>
  command(command: Command): void
  /** Leaves at once. Without an ending also without a word to the platform, which has given the bot to another. */
  abandon(ending?: Ending): void
}

type Ending = Outcome & { detail?: string }

const tickMs = 250
/** A page that did not react to a click gets another one. */
const joinAgainMs = 10_000

export function visit(deps: VisitDeps): Visit {
  const { claim, reports, log, nowMs } = deps
  const claimedAtMs = nowMs()
  const notices = noticeRepeater()
  const messages: Command[] = []
  const obeyed = new Set<string>()
  const ordered = Promise.withResolvers<Ending>()
  let sight = nothingSeen
  let knownAtMs = claimedAtMs
  let joinedAtMs = Number.NEGATIVE_INFINITY
  let status: Status = 'joining'
  let stay: MeetingStay | undefined
  let gone: string | undefined
  let isOver = false
  let isAbandoned = false
  /** A participant wants nothing more to be written down. */
  let isStopped = false

  const atMs = () => nowMs() - (stay?.admittedAtMs ?? claimedAtMs)
  const become = (next: Status, outcome: { reason?: string; detail?: string } = {}) => {
    if (isAbandoned) return
    status = next
    reports.event(atMs(), { type: 'status', status: next, ...outcome })
    log.info('A bot’s status', { bot: claim.bot.id, status: next, ...outcome })
  }
  const on = {
    sight: (seen: Sight) => {
      sight = seen
      if (!isOver) stay?.see(seen)
    },
    gone: (message: string) => {
      gone ??= message
    },
  }

  /** One look: what to do now, or how the visit ends. */
  const step = async (page: MeetingPage): Promise<Ending | null> => {
    if (gone !== undefined) throw new Error(gone)
    const now = nowMs()
    if (sight.stage !== 'unknown') knownAtMs = now
    const outcome = outcomeOf(sight.stage)
    if (outcome) return outcome
    if (now - knownAtMs > unknownMsMax) return { status: 'failed', reason: 'PAGE_CHANGED', detail: 'Nothing is known' }
    if (sight.stage === 'meeting' && !stay) await enter(page)
    else if (sight.stage === 'waiting' && status === 'joining') become('waiting_room')
    else if (sight.stage === 'prejoin' && !stay && now - joinedAtMs > joinAgainMs) {
      joinedAtMs = now
      await page.join(claim.bot.displayName)
    }
    stay?.see(sight)
    await stay?.repeatNotice()
    const message = stay ? messages.shift() : undefined
    if (message) {
      const isDone = await page.say(message.text ?? '')
      reports.event(atMs(), { type: 'command_done', commandId: message.id, isDone })
    }
    return null
  }
  const enter = async (page: MeetingPage) => {
    const admittedAtMs = nowMs()
    const entered = inMeeting({ ...deps, page, notices, admittedAtMs, sight: () => sight })
    stay = entered
    become('in_meeting')
    await entered.begin()
    log.info('Takes down what is said', { bot: claim.bot.id })
  }
  const follow = async (page: MeetingPage): Promise<Ending> => {
    await page.open(claim.link)
    for (;;) {
      const outcome = isOver ? ({ status: 'ended', reason: 'USER_REQUEST' } as const) : await step(page)
      if (outcome) return outcome
      await delay(tickMs)
    }
  }
  const finish = async (page: MeetingPage | undefined, ending: Ending) => {
    if (ending.status === 'failed' && page && !isAbandoned)
      await sendEvidence(page, stay !== undefined, deps).catch(() => undefined)
    if (stay && ending.status === 'ended') become('leaving', { reason: ending.reason })
    // A knock is withdrawn by closing the page.
    if (stay && page) await page.leave().catch(() => undefined)
    if (!isAbandoned && !isStopped) await stay?.finish()
    await page?.close()
    become(ending.status, ending)
    reports.flush()
  }

  return {
    status: () => status,
    command: (command) => {
      if (obeyed.has(command.id)) return
      obeyed.add(command.id)
      if (command.kind === 'message') {
        messages.push(command)
        return
      }
      if (command.kind === 'stop') {
        isStopped = true
        stay?.stop()
      }
      ordered.resolve({ status: 'ended', reason: command.reason ?? 'USER_REQUEST' })
    },
    abandon: (ending) => {
      if (ending === undefined) isAbandoned = true
      ordered.resolve(ending ?? { status: 'ended', reason: 'USER_REQUEST' })
    },
    run: async () => {
      reports.event(0, { type: 'status', status: 'joining' })
      let page: MeetingPage | undefined
      const ending = await deps
        .openPage(on)
        .then((opened) => {
          page = opened
          return Promise.race([ordered.promise, follow(opened)])
        })
        .catch((error: unknown) => endingOfError(errorMessage(error)))
      isOver = true
      if (ending.detail) log.warn('A visit failed', { bot: claim.bot.id, detail: ending.detail })
      await finish(page, ending)
    },
  }
}

function endingOfError(message: string): Ending {
  return { ...outcomeOfError(message), detail: (message.split('\n')[0] ?? '').slice(0, 200) }
}

/** Before the admission a picture of the page; afterwards only the texts of controls: faces and words are nobody's evidence. */
async function sendEvidence(page: MeetingPage, isAdmitted: boolean, { sendArtifact }: VisitDeps): Promise<void> {
  if (!isAdmitted) await sendArtifact({ name: 'page.png', contentType: 'image/png', bytes: await page.screenshot() })
  const controls = JSON.stringify({ controls: await page.controls() })
  await sendArtifact({ name: 'controls.json', contentType: 'application/json', bytes: Buffer.from(controls) })
}
