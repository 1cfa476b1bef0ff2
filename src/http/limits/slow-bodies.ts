import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { BodySettings } from './body-settings.ts'

type Arriving = Pick<IncomingMessage, 'complete' | 'destroyed'> & { socket: Pick<Socket, 'bytesRead'> }
/** `leftMs`: how long it may still stop. Bytes that come prolong it by the time that they may take. */
type Watched = { message: Arriving; end: () => void; leftMs: number; checkedMs: number; bytesRead: number }

/**
 * Ends requests whose body comes more slowly than it has to, or not at all, as nginx and HAProxy do with their body
 * timeouts. Otherwise somebody could keep the memory of many bodies until the timeout of a whole request.
 */
export function slowBodies(
  { bytesPerSecondMin, patienceMs, checkMs }: Pick<BodySettings, 'bytesPerSecondMin' | 'patienceMs' | 'checkMs'>,
  nowMs: () => number = () => performance.now(),
) {
  const watched = new Set<Watched>()
  let timer: NodeJS.Timeout | null = null

  const check = (): void => {
    const atMs = nowMs()
    for (const body of watched) {
      const { message, end, leftMs, checkedMs } = body
      if (message.complete || message.destroyed) {
        watched.delete(body)
        continue
      }
      const { bytesRead } = message.socket
      const earnedMs = ((bytesRead - body.bytesRead) / bytesPerSecondMin) * 1000
      body.leftMs = Math.min(patienceMs, leftMs + checkedMs - atMs + earnedMs)
      body.checkedMs = atMs
      body.bytesRead = bytesRead
      if (body.leftMs >= 0) continue
      watched.delete(body)
      end()
    }
    if (watched.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }

  return {
    check,
    /** Returns the function that ends the watch. @param end called once if the body is too slow. */
    watch: (message: Arriving, end: () => void): (() => void) => {
      const { bytesRead } = message.socket
      const body = { message, end, leftMs: patienceMs, checkedMs: nowMs(), bytesRead }
      watched.add(body)
      timer ??= setInterval(check, checkMs).unref()
      return () => watched.delete(body)
    },
  }
}
