import { setTimeout as delay } from 'node:timers/promises'
import type { Folder } from './folder.ts'
import { errorMessage, type Log } from './log.ts'
import type { BotEvent, Entry } from './protocol.ts'
import { type Lease, Refused, type ServiceClient } from './service-client.ts'

export type Message =
  | { kind: 'events'; atWallMs: number; body: Lease & { events: BotEvent[] } }
  | { kind: 'entries'; atWallMs: number; body: Lease & { seq: number; entries: Entry[] } }

export type Outbox = {
  /** On disk when it resolves; sent in this order. */
  add(message: Message): Promise<void>
  /** Resolves when all is sent or given up. */
  drained(): Promise<void>
  /** Nothing more is sent; what is left is deleted. */
  discard(): Promise<void>
}

type Deps = {
  folder: Folder
  /** Its file. */
  name: string
  service: Pick<ServiceClient, 'events' | 'entries'>
  log: Log
  wallMs: () => number
  /** Messages older than this are deleted: nobody waits for them any more, and words must not stay on a disk. */
  ageMsMax: number
  onLeaseLost: () => void
  /** At most this long until the next try. */
  retryMsMax?: number
}

const retryMsMin = 250
/** What the platform takes in one report. */
const entriesMax = 200
/** Well below the largest body that the platform reads. */
const charactersMax = 100_000

/**
 * What goes in the next request, and how many messages that is. Words that wait in a row go together, of each segment the
 * latest text: after an outage of minutes, a request for each draft would take minutes again.
 */
function nextReport(waiting: readonly Message[], first: Message): { message: Message; count: number } {
  if (first.kind === 'events') return { message: first, count: 1 }
  const latest = new Map<string, Entry>()
  let [count, seq, characters] = [0, first.body.seq, 0]
  for (const message of waiting) {
    if (message.kind === 'events' || message.body.lease !== first.body.lease) break
    const { entries } = message.body
    characters += entries.reduce((sum, { text }) => sum + text.length, 0)
    const added = entries.filter(({ segmentId }) => !latest.has(segmentId)).length
    if (count > 0 && (latest.size + added > entriesMax || characters > charactersMax)) break
    for (const entry of entries) latest.set(entry.segmentId, entry)
    seq = message.body.seq
    count += 1
  }
  return { message: { ...first, body: { ...first.body, seq, entries: [...latest.values()] } }, count }
}

/** What a bot has to report, kept on disk until the platform has it. A repeated report has no effect there. */
export function outbox(deps: Deps, waiting: Message[] = []): Outbox {
  const { folder, name, service, log } = deps
  const stopping = new AbortController()
  let writing: Promise<void> = Promise.resolve()
  let sending: Promise<void> | undefined

  const send = (message: Message) =>
    message.kind === 'events' ? service.events(message.body) : service.entries(message.body)

  const trySend = async (message: Message): Promise<'done' | 'refused' | 'later'> => {
    try {
      await send(message)
      return 'done'
    } catch (error) {
      if (!(error instanceof Refused) || error.status >= 500 || [408, 425, 429].includes(error.status)) return 'later'
      const isLeaseLost = error.status === 409 || error.status === 401
      if (isLeaseLost) deps.onLeaseLost()
      log.warn('The platform refused a report', {
        bot: message.body.botId,
        kind: message.kind,
        reason: errorMessage(error),
      })
      return isLeaseLost ? 'done' : 'refused'
    }
  }
  const dropTooOld = () => {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      if (deps.wallMs() - first.atWallMs <= deps.ageMsMax) return
      log.warn('A report was not sent in time', { bot: first.body.botId, kind: first.kind })
      waiting.shift()
    }
  }
  const sendAll = async () => {
    let pauseMs = retryMsMin
    // Of messages that were refused together: only one of them may be at fault.
    let alone = 0
    while (!stopping.signal.aborted) {
      dropTooOld()
      const [first] = waiting
      if (first === undefined) break
      const { message, count } = alone > 0 ? { message: first, count: 1 } : nextReport(waiting, first)
      const outcome = await trySend(message)
      if (outcome === 'later') {
        await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
        pauseMs = Math.min(pauseMs * 2, deps.retryMsMax ?? 5_000)
        continue
      }
      pauseMs = retryMsMin
      if (outcome === 'refused' && count > 1) alone = count
      else {
        waiting.splice(0, count)
        alone = Math.max(0, alone - 1)
      }
    }
    // What was sent is on disk no longer than the rest: a bot is quiet often enough.
    if (waiting.length === 0) await enqueueWrite(() => (waiting.length === 0 ? folder.remove(name) : Promise.resolve()))
  }
  const enqueueWrite = (write: () => Promise<void>) => {
    writing = writing.then(write)
    return writing
  }
  const start = () => {
    sending ??= sendAll().finally(() => {
      sending = undefined
      if (waiting.length > 0 && !stopping.signal.aborted) start()
    })
  }
  if (waiting.length > 0) start()
  return {
    add: async (message) => {
      if (stopping.signal.aborted) return
      waiting.push(message)
      const written = enqueueWrite(() => folder.append(name, `${JSON.stringify(message)}\n`))
      start()
      await written
    },
    drained: async () => {
      while (sending !== undefined) await sending
    },
    discard: async () => {
      stopping.abort()
      waiting.length = 0
      await writing.catch(() => undefined)
      await folder.remove(name)
    },
  }
}

/** The messages of a runner that was killed. A line that a crash cut off was not reported as written, and is ignored. */
export function readMessages(text: string): Message[] {
  const messages: Message[] = []
  for (const line of text.split('\n').filter(Boolean)) {
    try {
      messages.push(JSON.parse(line) as Message)
    } catch {
      break
    }
  }
  return messages
}
