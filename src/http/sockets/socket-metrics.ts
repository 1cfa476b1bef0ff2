import type { Metrics } from '../../kernel/metrics.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'

export type SocketMetrics = ReturnType<typeof socketMetrics>

/** Metrics of WebSocket connections. */
export function socketMetrics(metrics: Metrics, isOpen: () => { open: number; anonymous: number }) {
  metrics.sampled(
    { name: 'sockets_open', help: 'WebSocket connections of this process.', kind: 'gauge', labels: ['state'] },
    () => {
      const { open, anonymous } = isOpen()
      return [
        { labels: ['admitted'], value: open - anonymous },
        { labels: ['anonymous'], value: anonymous },
      ]
    },
  )
  const closes = metrics.counter({
    name: 'socket_closes_total',
    help: 'WebSocket connections that ended, by close code. 1006: closed without a code.',
    labels: ['code'],
  })
  const received = metrics.counter({
    name: 'socket_frames_received_total',
    help: 'Frames received from WebSocket clients.',
  })()
  const sent = metrics.counter({ name: 'socket_frames_sent_total', help: 'Frames sent to WebSocket clients.' })()
  const refused = metrics.counter({
    name: 'socket_refusals_total',
    help: 'Frames refused with an error frame, by error code.',
    labels: ['code'],
  })
  return {
    received,
    sent,
    refused: (code: RefusalCode) => refused(code).add(),
    // Clients can invent close codes.
    closed: (code: number) => closes(isOurs(code) ? String(code) : 'other').add(),
  }
}

function isOurs(code: number): boolean {
  return (code >= 1000 && code <= 1013) || (code >= 4400 && code <= 4429)
}
