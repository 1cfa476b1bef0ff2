import type { Metrics } from '../../kernel/metrics.ts'

export function receivingMetrics(metrics: Metrics) {
  const received = metrics.counter({
    name: 'email_received_total',
    help: 'Mails to addresses of ours, once for each owner of an address, by outcome.',
    labels: ['outcome'],
  })
  const refused = metrics.counter({
    name: 'email_refused_total',
    help: 'Mails and recipients that were not taken by SMTP and LMTP, and mails of mailboxes that are too large, by reason.',
    labels: ['reason'],
  })
  const failures = metrics.counter({
    name: 'email_mailbox_failures_total',
    help: 'Attempts to read mailboxes by IMAP that failed, by cause.',
    labels: ['cause'],
  })
  return {
    received: (outcome: 'received' | 'quarantined' | 'repeated' | 'bounce' | 'complaint') => received(outcome).add(),
    mailboxFailed: (cause: string) => failures(cause).add(),
    refused: (reason: string) => refused(reason).add(),
  }
}
