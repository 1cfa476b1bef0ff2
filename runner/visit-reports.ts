import type { Caption } from './captions.rules.ts'
import type { Outbox } from './outbox.ts'
import type { Claim, Entry, EventBody } from './protocol.ts'

/** Drafts follow each other quickly; this is how long they are gathered. */
const gatherMs = 500
const textLengthMax = 10_000
const speakerLengthMax = 200

export type Reports = ReturnType<typeof visitReports>

/** Numbers what a visit reports. Entries are gathered, later drafts replace earlier ones, and the order of all is kept. */
export function visitReports({ bot, lease }: Claim, outbox: Outbox, wallMs: () => number) {
  const gathered = new Map<string, Entry>()
  let timer: NodeJS.Timeout | undefined
  let [eventSeq, entrySeq] = [0, 0]
  const base = { botId: bot.id, lease }

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (gathered.size === 0) return
    const entries = [...gathered.values()]
    gathered.clear()
    void outbox.add({ kind: 'entries', atWallMs: wallMs(), body: { ...base, seq: ++entrySeq, entries } })
  }
  return {
    flush,
    event: (atMs: number, body: EventBody) => {
      // What was said before stays before.
      flush()
      const events = [{ seq: ++eventSeq, atMs: Math.round(atMs), ...body }]
      void outbox.add({ kind: 'events', atWallMs: wallMs(), body: { ...base, events } })
    },
    entry: ({ n, speaker, text, atMs, isFinal }: Caption) => {
      const segmentId = `${bot.id}:${bot.attempt}:${n}`
      gathered.set(segmentId, {
        segmentId,
        speaker: speaker.slice(0, speakerLengthMax) || 'Unknown speaker',
        text: text.slice(0, textLengthMax),
        atMs: Math.round(atMs),
        isFinal,
      })
      timer ??= setTimeout(flush, gatherMs)
    },
  }
}
