import { setImmediate } from 'node:timers/promises'
import { Refusal } from '../kernel/refusal.ts'

type Entry<Request, Answer> = { request: Request; resolve(answer: Answer): void; reject(reason: unknown): void }

type Parts<Request, Answer> = {
  /** The most requests in a batch. */
  sizeMax: number
  /** Answers all requests of a batch, in their order. If it fails, all its callers fail with its error. */
  flush: (requests: Request[]) => Promise<Answer[]>
  /** How many flushes may run at once. */
  flushesMax?: number
  /** The group of a request. Requests of one group are never in two flushes at once. */
  groupKey?: (request: Request) => string
}

// Fewer requests than this are not divided among flushes: the cost of each flush would outweigh the gain.
const dividedMin = 16

/**
 * Many callers, one statement: requests that arrive while a flush runs are answered together by the next one. Every caller
 * still waits for the commit of its statement, and requests of one group are served in the order of arrival.
 */
export function microBatch<Request, Answer>({
  sizeMax,
  flush,
  flushesMax = 1,
  groupKey = () => '',
}: Parts<Request, Answer>): (request: Request) => Promise<Answer> {
  let waiting: Entry<Request, Answer>[] = []
  let runners = 0
  let flushes = 0
  const busy = new Set<string>()

  /** Takes the next batch: a fair share for each flush that may still begin, but all requests of a group together. */
  const next = (): { entries: Entry<Request, Answer>[]; groups: Set<string> } => {
    const share = Math.min(sizeMax, Math.max(dividedMin, Math.ceil(waiting.length / (flushesMax - flushes))))
    const [entries, rest]: [Entry<Request, Answer>[], Entry<Request, Answer>[]] = [[], []]
    const groups = new Set<string>()
    for (const entry of waiting) {
      const group = groupKey(entry.request)
      const isNext = groups.has(group) ? entries.length < sizeMax : entries.length < share && !busy.has(group)
      if (isNext) groups.add(group)
      if (isNext) entries.push(entry)
      else rest.push(entry)
    }
    waiting = rest
    return { entries, groups }
  }

  const serve = async (entries: Entry<Request, Answer>[]): Promise<void> => {
    try {
      const answers = await flush(entries.map(({ request }) => request))
      for (const [index, { resolve }] of entries.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      for (const { reject } of entries) reject(error)
    }
  }

  const run = async (): Promise<void> => {
    runners += 1
    for (;;) {
      // Requests of one event, and of callers that were just answered, are collected first: otherwise the first of them
      // would be flushed alone, and all others would wait for that flush.
      await setImmediate()
      // Nothing is awaited between finding no request and stopping: otherwise a request could be forgotten.
      const { entries, groups } = next()
      if (entries.length === 0) break
      flushes += 1
      for (const group of groups) busy.add(group)
      await serve(entries)
      for (const group of groups) busy.delete(group)
      flushes -= 1
    }
    runners -= 1
  }

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject })
      // The runner of a busy group comes back for it: another would search all waiting requests and find none.
      if (runners < flushesMax && !busy.has(groupKey(request))) void run()
    })
}

type KeyedParts<Request, Answer> = {
  sizeMax: number
  /** A queue that is this long refuses with UNAVAILABLE. Default: none does. */
  waitingMax?: number
  /** The queue of a request. Each queue runs one flush at a time; none waits for another. */
  key: (request: Request) => string
  flush: (requests: Request[]) => Promise<Answer[]>
}

/** Micro-batches of requests with the same key. `has`: whether requests with the key wait or are being sent. */
export function keyedMicroBatch<Request, Answer>({
  sizeMax,
  waitingMax = Number.POSITIVE_INFINITY,
  key,
  flush,
}: KeyedParts<Request, Answer>): { send(request: Request): Promise<Answer>; has(key: string): boolean } {
  const queues = new Map<string, { length: number; send: (request: Request) => Promise<Answer> }>()
  return {
    has: (name) => queues.has(name),
    send: async (request) => {
      const name = key(request)
      const queue = queues.get(name) ?? { length: 0, send: microBatch({ sizeMax, flush }) }
      if (queue.length >= waitingMax) throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 })
      queues.set(name, queue)
      queue.length += 1
      try {
        return await queue.send(request)
      } finally {
        queue.length -= 1
        if (queue.length === 0) queues.delete(name)
      }
    },
  }
}
