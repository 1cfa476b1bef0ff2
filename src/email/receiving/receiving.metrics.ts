import type { Metrics } from '../../kernel/metrics.ts'

export function receivingMetrics(metrics: Metrics) {
  const received = metrics.counter({
    name: 'email_received_total',
    help: 'Mails to addresses of ours, once for each owner of an address, by outcome.',
    labels: ['outcome'],
  })
  const refused = metrics.counter({
    name: 'email_refused_total',
    help: 'Mails and recipients that the SMTP and LMTP listeners did not take, by reason.',
    labels: ['reason'],
  })
  return {
    received: (outcome: 'received' | 'quarantined' | 'repeated' | 'bounce' | 'complaint') => received(outcome).add(),
    refused: (reason: string) => refused(reason).add(),
  }
}
