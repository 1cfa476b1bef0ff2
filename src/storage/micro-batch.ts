import { setImmediate } from 'node:timers/promises'

type Entry<Ask, Answer> = { ask: Ask; resolve(answer: Answer): void; reject(reason: unknown): void }

type Parts<Ask, Answer> = {
  /** A batch has no more asks than this. */
  sizeMax: number
  /** Answers all asks of a batch, in their order; when it fails, all its callers fail with its error. */
  flush: (asks: Ask[]) => Promise<Answer[]>
  /** How many flushes may be under way at once. */
  flushesMax?: number
  /** What an ask is about. Asks about one thing are never in two flushes at once. */
  groupKey?: (ask: Ask) => string
}

// Fewer asks than this are not shared out among flushes: what each flush costs by itself would outweigh it.
const sharedMin = 16

/**
 * Many callers, one statement: what is asked while a flush is under way is answered together by the next one. Every
 * caller still waits for the commit of the statement that served it, and callers who ask about one thing are served in
 * the order they came.
 */
export function microBatch<Ask, Answer>({
  sizeMax,
  flush,
  flushesMax = 1,
  groupKey: placeOf = () => '',
}: Parts<Ask, Answer>): (ask: Ask) => Promise<Answer> {
  let waiting: Entry<Ask, Answer>[] = []
  let runners = 0
  let flushes = 0
  const busy = new Set<string>()

  /** Takes who goes next: a fair share for each flush that may still begin, but all who ask about the same together. */
  const next = (): { entries: Entry<Ask, Answer>[]; places: Set<string> } => {
    const share = Math.min(sizeMax, Math.max(sharedMin, Math.ceil(waiting.length / (flushesMax - flushes))))
    const [entries, left]: [Entry<Ask, Answer>[], Entry<Ask, Answer>[]] = [[], []]
    const places = new Set<string>()
    for (const entry of waiting) {
      const place = placeOf(entry.ask)
      const isNext = places.has(place) ? entries.length < sizeMax : entries.length < share && !busy.has(place)
      if (isNext) places.add(place)
      if (isNext) entries.push(entry)
      else left.push(entry)
    }
    waiting = left
    return { entries, places }
  }

  const serve = async (entries: Entry<Ask, Answer>[]): Promise<void> => {
    try {
      const answers = await flush(entries.map(({ ask }) => ask))
      for (const [index, { resolve }] of entries.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      for (const { reject } of entries) reject(error)
    }
  }

  const run = async (): Promise<void> => {
    runners += 1
    for (;;) {
      // Whom one event brought, and who asks again once answered, comes together: else the first of them would go alone
      // and all others wait for that flush.
      await setImmediate()
      // Nothing is awaited between finding nobody to serve and stopping: else a caller could be forgotten.
      const { entries, places } = next()
      if (entries.length === 0) break
      flushes += 1
      for (const place of places) busy.add(place)
      await serve(entries)
      for (const place of places) busy.delete(place)
      flushes -= 1
    }
    runners -= 1
  }

  return (ask) =>
    new Promise((resolve, reject) => {
      waiting.push({ ask, resolve, reject })
      // The runner that keeps a place busy comes back for it: another would look through all who wait, and find nobody.
      if (runners < flushesMax && !busy.has(placeOf(ask))) void run()
    })
}
