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

/** What a bot has to report, kept on disk until the platform has it. A repeated report has no effect there. */
export function outbox(deps: Deps, waiting: Message[] = []): Outbox {
  const { folder, name, service, log } = deps
  const stopping = new AbortController()
  let writing: Promise<void> = Promise.resolve()
  let sending: Promise<void> | undefined

  const send = (message: Message) =>
    message.kind === 'events' ? service.events(message.body) : service.entries(message.body)

  /** Whether the message is dealt with: sent, refused for good, or too old. */
  const trySend = async (message: Message): Promise<boolean> => {
    if (deps.wallMs() - message.atWallMs > deps.ageMsMax) {
      log.warn('A report was not sent in time', { bot: message.body.botId, kind: message.kind })
      return true
    }
    try {
      await send(message)
      return true
    } catch (error) {
      if (!(error instanceof Refused) || error.status >= 500 || [408, 425, 429].includes(error.status)) return false
      if (error.status === 409 || error.status === 401) deps.onLeaseLost()
      log.warn('The platform refused a report', {
        bot: message.body.botId,
        kind: message.kind,
        reason: errorMessage(error),
      })
      return true
    }
  }
  const sendAll = async () => {
    let pauseMs = retryMsMin
    for (let message = waiting[0]; message !== undefined && !stopping.signal.aborted; message = waiting[0]) {
      if (await trySend(message)) {
        waiting.shift()
        pauseMs = retryMsMin
      } else {
        await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
        pauseMs = Math.min(pauseMs * 2, deps.retryMsMax ?? 5_000)
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
