import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { type CloseCode, closeCode } from './close-codes.ts'
import type { SocketSettings } from './socket-declaration.ts'
import type { SocketMetrics } from './socket-metrics.ts'

// The limit of unsent answers for a client that does not read.
const unsentBytesMax = 1024 * 1024

export type SocketWriter = ReturnType<typeof socketWriter>

/** Writes to one WebSocket: sends frames, pings, and closes connections that are slow or dead. */
export function socketWriter(
  webSocket: WebSocket,
  stream: Duplex,
  { settings, metrics, onDrained }: { settings: SocketSettings; metrics: SocketMetrics; onDrained: () => void },
) {
  let isAnswering = true
  let closedWith: CloseCode | null = null
  let fullSinceMs: number | null = null
  webSocket.on('pong', () => {
    isAnswering = true
  })
  stream.on('drain', () => {
    fullSinceMs = null
    onDrained()
  })

  const close = (code: CloseCode, reason: string): void => {
    if (closedWith !== null) return
    closedWith = code
    webSocket.close(code, reason)
    // A client that does not read never sees the close frame: its waiting data is dropped.
    setTimeout(() => webSocket.terminate(), settings.closeTimeoutMs).unref()
  }
  const sendAll = (frames: readonly (Buffer | string)[]): void => {
    if (closedWith !== null || webSocket.readyState !== webSocket.OPEN) return
    // One write for all of them.
    stream.cork()
    for (const frame of frames) webSocket.send(frame, { binary: false })
    stream.uncork()
    metrics.sent.add(frames.length)
    if (webSocket.bufferedAmount > unsentBytesMax) close(closeCode.LATE, 'SLOW_READER')
  }

  return {
    close,
    isClosing: () => closedWith !== null,
    /** The code that we closed the connection with; null if we did not. */
    closedWith: () => closedWith,
    send: (frame: object) => sendAll([JSON.stringify(frame)]),
    sendEncoded: sendAll,
    isFull: (): boolean => {
      if (webSocket.bufferedAmount < settings.bufferedBytesMax) return false
      fullSinceMs ??= performance.now()
      return true
    },
    closeIfSlow: (): void => {
      if (fullSinceMs !== null && performance.now() - fullSinceMs > settings.slowReaderMs)
        close(closeCode.LATE, 'SLOW_READER')
    },
    /** Sends a ping; a client that has not answered the previous one is disconnected. */
    ping: (): void => {
      // A paused connection may have answered, but we have not read it yet.
      if (webSocket.isPaused) return
      if (isAnswering) webSocket.ping()
      else webSocket.terminate()
      isAnswering = false
    },
  }
}
