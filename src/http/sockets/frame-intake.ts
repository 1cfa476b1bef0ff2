import type { WebSocket } from 'ws'
import { closeCode } from './close-codes.ts'
import { frameBudget } from './frame-reader.ts'
import type { SocketHost } from './socket-host.ts'
import type { SocketWriter } from './socket-writer.ts'

// Frames of a client that may wait; beyond this nothing more is read from it.
const waitingFramesMax = 4

type Intake = {
  wire: SocketWriter
  host: Pick<SocketHost, 'settings' | 'clock' | 'metrics'>
  handle: (bytes: Buffer) => Promise<void>
}

/** Handles frames one after another, within the client's budget; stops reading while too many wait. */
export function takeFrames(webSocket: WebSocket, { wire, host, handle }: Intake): void {
  const { settings, clock, metrics } = host
  const isWithinBudget = frameBudget({
    perSecond: settings.framesPerSecond,
    atOnceMax: settings.framesAtOnceMax,
    clock,
  })
  let work: Promise<void> = Promise.resolve()
  let waiting = 0
  const closeBeyondBudget = (): boolean => {
    if (isWithinBudget()) return false
    wire.close(closeCode.TOO_MANY, 'RATE_LIMITED')
    return true
  }
  // Control frames reach no handler, but each costs time, too.
  webSocket.on('ping', closeBeyondBudget)
  webSocket.on('pong', closeBeyondBudget)
  webSocket.on('message', (data: Buffer, isBinary: boolean) => {
    metrics.received.add()
    if (wire.isClosing()) return
    if (isBinary) return wire.close(closeCode.NOT_TEXT, 'BINARY')
    if (closeBeyondBudget()) return
    if (++waiting >= waitingFramesMax) webSocket.pause()
    work = work
      .then(() => handle(data))
      .then(() => {
        if (--waiting < waitingFramesMax && webSocket.isPaused) webSocket.resume()
      })
  })
}
