/** Closes a connection that leaves a statement unanswered for too long. */
export type AnswerWatch = {
  /** Gives the answer. Calls `close` if it does not come in time: that has to make it fail. */
  during<T>(answer: Promise<T>, close: () => void): Promise<T>
}

const beatMs = 500

/**
 * One timer for all: a timer for each statement takes longer than many an answer. It counts its own beats, because no answer is read
 * while something holds the event loop, or stops the machine: that is one beat, however long.
 * @param answerMsMax what an answer may take at least; up to half a second more, because a beat has to come.
 */
export function answerWatch(answerMsMax: number): AnswerWatch {
  const unanswered = new Set<{ sentAt: number; close: () => void }>()
  let beats = 0
  let timer: NodeJS.Timeout | undefined

  const beat = () => {
    beats += 1
    for (const { sentAt, close } of unanswered) if ((beats - sentAt) * beatMs > answerMsMax) close()
    if (unanswered.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    during: async (answer, close) => {
      const statement = { sentAt: beats, close }
      unanswered.add(statement)
      timer ??= setInterval(beat, beatMs).unref()
      try {
        return await answer
      } finally {
        unanswered.delete(statement)
      }
    },
  }
}
