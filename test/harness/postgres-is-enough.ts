import { globSync, readFileSync } from 'node:fs'

/**
 * The files that a whole run on both databases runs on PostgreSQL alone, although they use a database: PGlite is PostgreSQL, asked
 * by the same driver, and takes twice the time. What they test lies above the SQL, which other files send to PGlite as well; the
 * run says what SQL they leave out. Races, locks, storage, jobs, backups, and what upgrades or erases stay on both.
 * `npm test -- pglite` runs all of them there.
 */
export const postgresIsEnough: readonly string[] = [
  'src/analytics/analytics.test.ts',
  'src/bots/vendors/vendor-journeys.test.ts',
  'src/catalog/products/product-seed.test.ts',
  'src/content/media/faults.test.ts',
  'src/content/media/images.test.ts',
  'src/content/media/media-type.test.ts',
  'src/content/pages/page-invariants.test.ts',
  'src/content/pages/page.bundle.test.ts',
  'src/email/listener/listener.test.ts',
  'src/email/mailboxes/integration-mail.test.ts',
  'src/email/tour.test.ts',
  'src/http/body-budget.test.ts',
  'src/http/loop-watch.test.ts',
  'src/http/sockets/sockets.test.ts',
  'src/http/uploads/multipart.test.ts',
  'src/identity/auth/login-address-limit.test.ts',
  'src/identity/auth/login-source.test.ts',
  'src/inbound/deliveries/receiving-limits.test.ts',
  'src/inbound/deliveries/receiving.test.ts',
  'src/integrations/actions/action-rules.test.ts',
  'src/integrations/actions/actions.test.ts',
  'src/integrations/integrations/integration.routes.test.ts',
  'src/integrations/journeys.test.ts',
  'src/knowledge/asks/model-asks.test.ts',
  'src/licensing/licenses/term.service.test.ts',
  'src/mail-commands/simulated-commands.test.ts',
  'src/mails/mail.routes.test.ts',
  'src/meetings/answers/drafted-answer.test.ts',
  'src/meetings/answers/model-answers.test.ts',
  'src/meetings/answers/organization-answer.test.ts',
  'src/meetings/live/live-crowd.test.ts',
  'src/meetings/live/live.test.ts',
  'src/meetings/meetings/meeting-totals.test.ts',
  'src/meetings/summaries/model-misbehaviour.test.ts',
  'src/meetings/summaries/model-summaries.test.ts',
  'src/meetings/summaries/summaries.property.test.ts',
  'src/meetings/summaries/summary.routes.test.ts',
  'src/meetings/transcripts/transcript.routes.test.ts',
  'src/system/overview/large-installation.test.ts',
  'src/system/reference/reference-limits.test.ts',
  'src/tasks/proposals/proposal.test.ts',
  'src/tasks/tasks/task-visibility.test.ts',
  'src/usage/metrics/usage-recording.test.ts',
  'src/vault/devices/config.routes.test.ts',
  'src/vault/nodes/peers-size.test.ts',
  'src/vault/servers/built-in.test.ts',
  'test/contract/access.test.ts',
  'test/contract/console-door.test.ts',
  'test/contract/documents.test.ts',
  'test/contract/hidden-secrets.test.ts',
  'test/contract/malformed.test.ts',
  'test/contract/organization-matrix.test.ts',
  'test/contract/regular-expressions.test.ts',
  'test/journeys/inbound.test.ts',
  'test/journeys/outbound.test.ts',
  'test/journeys/sdk.test.ts',
  'test/journeys/visits.test.ts',
]

type Ran = { database: string; statements: Readonly<Record<string, readonly string[]>> }

/** The SQL of our stores that these files sent to PostgreSQL and no file to PGlite. */
export function askedOfPostgresAlone(ran: readonly Ran[], files: readonly string[] = postgresIsEnough): string[] {
  const of = (database: string) => ran.filter((it) => it.database === database).map(({ statements }) => statements)
  const onPglite = new Set(of('pglite').flatMap((statements) => Object.values(statements).flat()))
  const onPostgres = new Set(of('postgres').flatMap((statements) => files.flatMap((file) => statements[file] ?? [])))
  const missing = [...onPostgres].filter((text) => !onPglite.has(text))
  if (missing.length === 0) return []
  const stores = globSync('src/**/*.store.ts').map((file) => readFileSync(file, 'utf8').replaceAll(/\s+/g, ' '))
  // Not what a test asks by itself.
  return missing.filter((text) => stores.some((store) => templateOf(text).test(store)))
}

/** Matches where the text is written, whatever its values. */
function templateOf(text: string): RegExp {
  const parts = text.split('?').map((part) => RegExp.escape(part.trim()))
  return new RegExp(`\`\\s*${parts.join('\\s*\\$\\{[^]*?\\}\\s*')}\\s*\``)
}
