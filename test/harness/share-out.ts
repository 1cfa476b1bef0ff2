// Roughly how many seconds of a processor the long files need on the database that needs more, as `npm test` shows them at its end.
// Whoever sees a process wait for the other one for a minute corrects the list; a file that is missing or gone does no harm.
const longFiles: Record<string, number> = {
  'src/ai/model-tokens.test.ts': 6,
  'src/analytics/analytics.test.ts': 10,
  'src/analytics/events/event.store.test.ts': 5,
  'src/backup/backup.test.ts': 14,
  'src/bots/vendors/vendor-chaos.test.ts': 4,
  'src/bots/vendors/vendor-journeys.test.ts': 6,
  'src/catalog/products/product-seed.test.ts': 8,
  'src/command-help.test.ts': 6,
  'src/content/media/faults.test.ts': 6,
  'src/content/media/media.routes.test.ts': 4,
  'src/identity/auth/login-source.test.ts': 6,
  'src/identity/tenants/tenant-file.test.ts': 6,
  'src/identity/tenants/tenant-products.test.ts': 8,
  'src/inbound/deliveries/mask-secrets.rules.test.ts': 5,
  'src/integrations/actions/actions.test.ts': 5,
  'src/integrations/journeys.test.ts': 4,
  'src/integrations/oauth/tokens.test.ts': 4,
  'src/integrations/sync/issues/two-way.test.ts': 6,
  'src/knowledge/documents/document.test.ts': 9,
  'src/knowledge/documents/extraction.test.ts': 8,
  'src/knowledge/vectors/vector-search.test.ts': 5,
  'src/licensing/licenses/license.routes.test.ts': 4,
  'src/licensing/uses/use.service.test.ts': 5,
  'src/mail-commands/mail-commands.test.ts': 5,
  'src/mails/mail.routes.test.ts': 4,
  'src/meetings/live/live-crowd.test.ts': 5,
  'src/meetings/meetings/erasure.test.ts': 5,
  'src/meetings/meetings/sharing.test.ts': 5,
  'src/meetings/summaries/model-misbehaviour.test.ts': 6,
  'src/meetings/summaries/model-summaries.test.ts': 13,
  'src/meetings/transcripts/transcript.routes.test.ts': 15,
  'src/organizations/members/member.test.ts': 5,
  'src/storage/migrations.test.ts': 13,
  'src/summarizer/summary-guarantees.test.ts': 10,
  'src/tasks/proposals/proposal.test.ts': 5,
  'src/tasks/reminders/reminder.test.ts': 5,
  'src/tasks/tasks/task-visibility.test.ts': 14,
  'src/tasks/trackers/tracker-issue.test.ts': 5,
  'src/text/rendering-place.test.ts': 4,
  'src/usage/meters/limits-in-force.test.ts': 4,
  'src/usage/threshold-mails/threshold-mail.test.ts': 4,
  'src/vault/nodes/peers.test.ts': 8,
  'src/vault/nodes/report.test.ts': 5,
  'src/vault/servers/built-in.test.ts': 8,
  'src/vault/wireguard/keys.test.ts': 6,
  'src/webhooks/deliveries/concurrent-changes.test.ts': 5,
  'test/contract/access.test.ts': 5,
  'test/contract/console-door.test.ts': 14,
  'test/contract/generated-clients.test.ts': 30,
  'test/contract/hidden-secrets.test.ts': 4,
  'test/contract/malformed.test.ts': 24,
  'test/contract/organization-matrix.test.ts': 20,
  'test/contract/regular-expressions.test.ts': 8,
  'test/contract/secrets.test.ts': 5,
  'test/harness/failed-tests.test.ts': 6,
  'test/journeys/agent-exits.test.ts': 9,
  'test/journeys/backup.test.ts': 40,
  'test/journeys/bot-runner.test.ts': 16,
  'test/journeys/bots.test.ts': 17,
  'test/journeys/clock.test.ts': 9,
  'test/journeys/console.test.ts': 38,
  'test/journeys/database-faults.test.ts': 8,
  'test/journeys/disk-full.test.ts': 11,
  'test/journeys/documents.test.ts': 78,
  'test/journeys/inbound.test.ts': 6,
  'test/journeys/killed-extraction.test.ts': 10,
  'test/journeys/live-example.test.ts': 8,
  'test/journeys/lost-password.test.ts': 5,
  'test/journeys/nodes.test.ts': 62,
  'test/journeys/open-console.test.ts': 4,
  'test/journeys/order-of-use.test.ts': 28,
  'test/journeys/outbound.test.ts': 23,
  'test/journeys/public-reads.test.ts': 22,
  'test/journeys/readme.test.ts': 14,
  'test/journeys/reference-page.test.ts': 6,
  'test/journeys/start.test.ts': 12,
  'test/journeys/tunnel-networks.test.ts': 10,
  'test/journeys/tunnels.test.ts': 9,
  'test/journeys/verify-audit.test.ts': 4,
  'test/journeys/visits.test.ts': 11,
  'test/journeys/vpn.test.ts': 19,
}

/**
 * They wait for browsers, tunnels, other processes and timers for most of their time, and need little of a processor: they run in a
 * process beside the others. So do those that open many embedded databases, which takes three times as long in a process that has
 * loaded hundreds of files.
 */
export const waitingFiles: readonly string[] = [
  'src/email/mailboxes/mailbox.test.ts',
  'src/mail-commands/mail-commands.test.ts',
  'src/storage/database.test.ts',
  'src/storage/prepared-database.test.ts',
  'test/journeys/agent-exits.test.ts',
  'test/journeys/bot-runner.test.ts',
  'test/journeys/clock.test.ts',
  'test/journeys/console.test.ts',
  'test/journeys/database-faults.test.ts',
  'test/journeys/outbound.test.ts',
  'test/journeys/public-reads.test.ts',
  'test/journeys/tunnel-networks.test.ts',
  'test/journeys/tunnels.test.ts',
  'test/journeys/vpn.test.ts',
]

/** The files in so many shares, each of about the same duration and in the order given. */
export function shareOut(
  files: readonly string[],
  count: number,
  secondsOf: Readonly<Record<string, number>> = longFiles,
): string[][] {
  const seconds = (file: string) => secondsOf[file] ?? 1
  const shares = Array.from({ length: count }, () => ({ seconds: 0, files: new Set<string>() }))
  for (const file of [...files].sort((a, b) => seconds(b) - seconds(a))) {
    const least = shares.reduce((best, share) => (share.seconds < best.seconds ? share : best))
    least.files.add(file)
    least.seconds += seconds(file)
  }
  return shares.map((share) => files.filter((file) => share.files.has(file)))
}
