/** Closes what leaves a question unanswered for too long. */
export type AnswerWatch = {
  /** Asks, and calls `close` if there is no answer in time. It is `close` that has to make `ask` fail. */
  during<T>(ask: () => Promise<T>, close: () => void): Promise<T>
}

const beatMs = 500

/**
 * One timer for all: a timer for each question takes longer than many an answer. It counts its own beats, because no answer is read
 * while something holds the event loop, or stops the machine: that is one beat, however long.
 * @param answerMsMax or up to half a second less: a question may come just before a beat.
 */
export function answerWatch(answerMsMax: number): AnswerWatch {
  const unanswered = new Set<{ askedAt: number; close: () => void }>()
  let beats = 0
  let timer: NodeJS.Timeout | undefined

  const beat = () => {
    beats += 1
    for (const { askedAt, close } of unanswered) if ((beats - askedAt) * beatMs >= answerMsMax) close()
    if (unanswered.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    during: async (ask, close) => {
      const question = { askedAt: beats, close }
      unanswered.add(question)
      timer ??= setInterval(beat, beatMs).unref()
      try {
        return await ask()
      } finally {
        unanswered.delete(question)
      }
    },
  }
}
