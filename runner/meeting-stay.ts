import { countAttendance, hearing, type noticeRepeater } from './attendance.rules.ts'
import { captionReader } from './captions.rules.ts'
import type { MeetingPage } from './meeting-page.ts'
import type { Claim } from './protocol.ts'
import type { Sight } from './surfaces/surface.ts'
import type { Transcriber } from './transcriber.ts'
import type { Reports } from './visit-reports.ts'

export type MeetingStay = {
  admittedAtMs: number
  /** Posts the notice, then begins to write down what is said. */
  begin(): Promise<void>
  /** Takes down what the page shows. */
  see(sight: Sight): void
  /** Says the notice again where somebody has come since. */
  repeatNotice(): Promise<void>
  /** Takes nothing down from now on, also not what was said before and is still being transcribed. */
  stop(): void
  /** Takes down what was said before. */
  finish(): Promise<void>
}

type Deps = {
  claim: Claim
  reports: Reports
  nowMs: () => number
  page: MeetingPage
  notices: ReturnType<typeof noticeRepeater>
  admittedAtMs: number
  sight: () => Sight
  transcriber: Transcriber | undefined
}

/** The platform needs to know that somebody talks, not each word of when. */
const speechMs = 10_000

/** What a bot does between its admission and its leaving. */
export function inMeeting(deps: Deps): MeetingStay {
  const { claim, reports, nowMs, page, notices, admittedAtMs, transcriber } = deps
  const atMs = () => nowMs() - admittedAtMs
  let number = 0
  const captions = captionReader(() => ++number)
  const hears = hearing()
  const readMessages = new Set<string>()
  let attendance = ''
  let health: 'ok' | 'deaf' = 'ok'
  let spokeAtMs = Number.NEGATIVE_INFINITY
  let isTaking = false
  let isStopped = false

  const sayNotice = async () => {
    const { people } = deps.sight()
    const delivered = await page.say(claim.bot.consentMessage)
    notices.said(people, nowMs())
    reports.event(atMs(), { type: 'notice', delivered })
  }
  const take = (taken: Parameters<Reports['entry']>[0]) => {
    if (isStopped) return
    reports.entry(taken)
    hears.entry(atMs())
  }
  const readChat = ({ messages }: Sight) => {
    for (const { key, author, text } of messages) {
      if (readMessages.has(key)) continue
      readMessages.add(key)
      const isOwn = author === claim.bot.displayName || text === claim.bot.consentMessage
      if (!isOwn && text !== '') reports.event(atMs(), { type: 'chat', from: author, text: text.slice(0, 2_000) })
    }
  }
  const readPeople = ({ people }: Sight) => {
    const counted = countAttendance(people)
    const text = JSON.stringify(counted)
    if (text !== attendance) reports.event(atMs(), { type: 'participants', ...counted })
    attendance = text
    if (!people.some(({ isSpeaking }) => isSpeaking) || atMs() - spokeAtMs < speechMs) return
    spokeAtMs = atMs()
    reports.event(atMs(), { type: 'speech' })
  }
  const checkHealth = ({ people }: Sight) => {
    const next = hears.isDeaf(people, atMs()) ? 'deaf' : 'ok'
    if (next !== health) reports.event(atMs(), { type: 'health', health: next })
    health = next
  }

  return {
    admittedAtMs,
    begin: async () => {
      await sayNotice()
      // What stands there was said before the notice: nobody agreed to it.
      const { captions: shown, messages } = deps.sight()
      captions.skip(shown, atMs())
      for (const { key } of messages) readMessages.add(key)
      isTaking = true
      if (transcriber) {
        await page.listen((piece) => {
          const n = ++number
          const startedAtMs = Math.max(0, atMs() - piece.seconds * 1000)
          transcriber.add(piece, (text) => take({ n, speaker: piece.speaker, text, atMs: startedAtMs, isFinal: true }))
        })
      } else await page.showCaptions()
    },
    see: (sight) => {
      readPeople(sight)
      if (!isTaking || isStopped) return
      readChat(sight)
      if (!transcriber) for (const caption of captions.read(sight.captions, atMs())) take(caption)
      checkHealth(sight)
    },
    repeatNotice: async () => {
      if (isTaking && notices.isDue(deps.sight().people, nowMs())) await sayNotice()
    },
    stop: () => {
      isStopped = true
    },
    finish: async () => {
      if (transcriber) await transcriber.finished()
      else for (const caption of captions.finish()) take(caption)
    },
  }
}
