import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { oldestPostgres } from '../../src/storage/migrations.ts'

/** Where Debian and Ubuntu install the programs of that version; `.ci/run` does it. */
const programs = `/usr/lib/postgresql/${oldestPostgres}/bin`

/** The programs of the oldest PostgreSQL that the documents promise, or null where it is not installed. */
export const oldestPostgresPrograms = ['initdb', 'postgres'].every((name) => existsSync(join(programs, name)))
  ? programs
  : null

/** What to say where it is not installed. */
export const oldestPostgresMissing = `!!! postgresql-${oldestPostgres} is not installed: THE OLDEST POSTGRESQL THAT THE DOCUMENTS PROMISE IS NOT TESTED !!!`

/**
 * The files that also run there: the migrations, every way of asking the database (pool, pipeline, jobs, batches, backup) and of
 * each product the file with the most unusual SQL.
 */
export const filesOnOldestPostgres = [
  'src/catalog/docs/doc-search.test.ts',
  'src/catalog/products/product-admin.routes.test.ts',
  'src/content/pages/page.routes.test.ts',
  'src/identity/audit/audit.store.test.ts',
  'src/identity/tenants/tenant-file.test.ts',
  'src/inbound/deliveries/delivery.store.test.ts',
  'src/jobs/runner.test.ts',
  'src/jobs/schema.test.ts',
  'src/licensing/uses/use-batch.test.ts',
  'src/licensing/uses/use.service.test.ts',
  'src/meetings/transcripts/transcript.routes.test.ts',
  'src/storage/migrations.test.ts',
  'src/storage/row-counts.test.ts',
  'src/vault/nodes/report.test.ts',
  'src/webhooks/events/events.test.ts',
]
