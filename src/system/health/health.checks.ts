import { withTimeout } from '../../kernel/with-timeout.ts'

export type CheckResult = { status: 'up' | 'down'; latencyMs: number }

// Answer before a load balancer's probe times out, after a few seconds.
const checkTimeoutMs = 2000
const validMs = 1000

/** How long the ping takes. `down` if it fails or takes too long. */
export async function checkOnce(ping: (timeoutMs: number) => Promise<number>): Promise<CheckResult> {
  return ping(checkTimeoutMs).then(
    (latencyMs) => ({ status: 'up', latencyMs: Math.round(latencyMs * 100) / 100 }),
    () => ({ status: 'down', latencyMs: checkTimeoutMs }),
  )
}

/**
 * The same for a ping that is made at most once a second, however many ask: `/health` is open to everybody and not limited.
 * A ping that hangs, as on a network folder whose server is gone, is not made again before it ends.
 */
export function cachedCheck(ping: () => Promise<unknown>): () => Promise<CheckResult> {
  let running: Promise<number> | null = null
  let last: { result: Promise<CheckResult>; atMs: number } | null = null
  const measure = (): Promise<number> => {
    const startedMs = performance.now()
    running ??= ping()
      .then(() => performance.now() - startedMs)
      .finally(() => {
        running = null
      })
    return running
  }
  return () => {
    if (last === null || performance.now() - last.atMs >= validMs)
      last = {
        result: checkOnce((timeoutMs) => withTimeout(timeoutMs, measure())),
        atMs: performance.now(),
      }
    return last.result
  }
}
