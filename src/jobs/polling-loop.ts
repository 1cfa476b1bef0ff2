/** The longest pause after failures in a row, for example while the database is down. */
const pollMsMax = 15_000

export type PollingLoop = { start(): void; isStarted(): boolean; stop(): Promise<void> }

/** Runs `pass` again and again, with a pause of `pollMs`. After failures the pause grows. */
export function pollingLoop(deps: {
  pass(): Promise<void>
  pollMs: number
  onError(error: unknown): void
}): PollingLoop {
  const { pass, pollMs, onError } = deps
  let running: Promise<void> | null = null
  const stopping = Promise.withResolvers<void>()
  let isStopping = false

  const pause = async (ms: number) => {
    const over = Promise.withResolvers<void>()
    const timer = setTimeout(over.resolve, ms)
    await Promise.race([over.promise, stopping.promise])
    clearTimeout(timer)
  }

  const run = async () => {
    let failures = 0
    while (!isStopping) {
      try {
        await pass()
        failures = 0
      } catch (error) {
        failures += 1
        onError(error)
      }
      await pause(Math.min(pollMsMax, pollMs * 2 ** failures))
    }
  }

  return {
    start: () => {
      running ??= run()
    },
    isStarted: () => running !== null && !isStopping,
    stop: async () => {
      isStopping = true
      stopping.resolve()
      await running
    },
  }
}
