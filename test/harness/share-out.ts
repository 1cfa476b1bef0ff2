// Roughly how many seconds of work the long files are, as `npm test` shows them at its end. Whoever sees a process wait for
// the other one for a minute corrects the list; a file that is missing or gone does no harm.
const longFiles: Record<string, number> = {
  'src/analytics/analytics.test.ts': 29,
  'src/analytics/events/event.store.test.ts': 28,
  'src/analytics/summaries/analytics.routes.test.ts': 5,
  'src/analytics/summaries/recount.test.ts': 6,
  'src/backup/backup.test.ts': 19,
  'src/catalog/bundle/product-deciding.test.ts': 21,
  'src/catalog/bundle/product.bundle.test.ts': 7,
  'src/catalog/products/product-seed.test.ts': 24,
  'src/content/media/faults.test.ts': 7,
  'src/content/media/media.routes.test.ts': 4,
  'src/content/pages/page-invariants.test.ts': 5,
  'src/content/pages/page.bundle.test.ts': 12,
  'src/identity/audit/audit-chain.test.ts': 10,
  'src/identity/audit/audit.routes.test.ts': 5,
  'src/identity/auth/login-address-limit.test.ts': 4,
  'src/identity/tenants/tenant-file.test.ts': 7,
  'src/inbound/connections/environment.test.ts': 4,
  'src/inbound/deliveries/processing.test.ts': 6,
  'src/jobs/faults.test.ts': 10,
  'src/licensing/uses/use.service.test.ts': 7,
  'src/meetings/answers/drafted-answer.test.ts': 4,
  'src/meetings/answers/model-answers.test.ts': 4,
  'src/meetings/live/live-crowd.test.ts': 15,
  'src/meetings/meetings/erasure.test.ts': 13,
  'src/meetings/summaries/model-misbehaviour.test.ts': 7,
  'src/meetings/summaries/model-summaries.test.ts': 10,
  'src/meetings/summaries/summary.routes.test.ts': 6,
  'src/meetings/transcripts/transcript.routes.test.ts': 11,
  'src/storage/array-bytes.test.ts': 6,
  'src/storage/database.test.ts': 39,
  'src/storage/migrations.test.ts': 11,
  'src/storage/pipeline.test.ts': 4,
  'src/summarizer/summary-guarantees.test.ts': 10,
  'src/system/bundle/bundle.test.ts': 6,
  'src/text/markup.test.ts': 4,
  'src/vault/devices/config.routes.test.ts': 5,
  'src/vault/nodes/peers.test.ts': 5,
  'src/vault/nodes/report.test.ts': 7,
  'test/contract/malformed.test.ts': 12,
  'test/journeys/backup.test.ts': 45,
  'test/journeys/database-faults.test.ts': 13,
  'test/journeys/documents.test.ts': 45,
  'test/journeys/disk-full.test.ts': 17,
  'test/journeys/inbound.test.ts': 6,
  'test/journeys/live.test.ts': 7,
  'test/journeys/lost-password.test.ts': 19,
  'test/journeys/nodes.test.ts': 28,
  'test/journeys/order-of-use.test.ts': 50,
  'test/journeys/outbound.test.ts': 23,
  'test/journeys/public-reads.test.ts': 16,
  'test/journeys/reference-page.test.ts': 10,
  'test/journeys/readme.test.ts': 12,
  'test/journeys/shared-limits.test.ts': 6,
  'test/journeys/start.test.ts': 10,
  'test/journeys/verify-audit.test.ts': 6,
  'test/journeys/visits.test.ts': 22,
}

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
