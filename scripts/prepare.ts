import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildChangedFiles, isInstalled } from '../src/built-files.ts'
import { readMigrations } from '../src/storage/migrations.ts'
import { preparedDatabase } from '../src/storage/prepared-database.ts'

// What `npm ci` runs at its end, so that the first start finds a database to copy and its modules compiled. A start makes
// what is missing by itself. What browsers get is built here, where the packages for that are installed.

await preparedDatabase(await readMigrations())
await import('../src/app.ts')
removeHeaders()
buildChangedFiles((text) => process.stdout.write(text))
// Otherwise the sources run, and a start takes 0.3 s longer.
if (isInstalled('rolldown')) await (await import('./bundle.ts')).bundleService()

/** The npm package of Node brings 67 MB of C headers, a tenth of the checkout. Nothing is compiled against them. */
function removeHeaders(): void {
  const folder = dirname(dirname(process.execPath))
  // Not those of a Node that the machine has.
  if (folder.includes('node_modules')) rmSync(join(folder, 'include'), { recursive: true, force: true })
}
