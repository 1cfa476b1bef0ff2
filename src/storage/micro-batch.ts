import { setImmediate } from 'node:timers/promises'

type Entry<Ask, Answer> = { ask: Ask; resolve(answer: Answer): void; reject(reason: unknown): void }

/**
 * Many callers, one statement: what is asked while a flush is under way is answered together by the next one. Every
 * caller still waits for the commit of the statement that served it, and callers are served in the order they came.
 * @param flush answers all asks of a batch, in their order; when it fails, all its callers fail with its error.
 */
export function microBatch<Ask, Answer>({
  sizeMax,
  flush,
}: {
  sizeMax: number
  flush: (asks: Ask[]) => Promise<Answer[]>
}): (ask: Ask) => Promise<Answer> {
  let waiting: Entry<Ask, Answer>[] = []
  let isFlushing = false

  const serve = async (entries: Entry<Ask, Answer>[]): Promise<void> => {
    try {
      const answers = await flush(entries.map(({ ask }) => ask))
      for (const [index, { resolve }] of entries.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      for (const { reject } of entries) reject(error)
    }
  }

  const run = async (): Promise<void> => {
    isFlushing = true
    for (;;) {
      // Whom one event brought, and who asks again once answered, comes together: else the first of them would go alone
      // and all others wait for that flush.
      await setImmediate()
      // Nothing is awaited between finding nobody waiting and saying that no flush runs: else a caller could be forgotten.
      if (waiting.length === 0) break
      const entries = waiting.slice(0, sizeMax)
      waiting = waiting.slice(sizeMax)
      await serve(entries)
    }
    isFlushing = false
  }

  return (ask) =>
    new Promise((resolve, reject) => {
      waiting.push({ ask, resolve, reject })
      if (!isFlushing) void run()
    })
}
