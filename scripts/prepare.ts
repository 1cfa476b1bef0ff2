import { globSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildChangedFiles, isInstalled } from '../src/built-files.ts'
import { readMigrations } from '../src/storage/migrations.ts'
import { preparedDatabase } from '../src/storage/prepared-database.ts'
import { compilePglite } from './compile-pglite.ts'

// What `npm ci` runs at its end, so that the first start finds a database to copy and its modules compiled. A start makes
// what is missing by itself. What browsers get is built here, where the packages for that are installed.

await preparedDatabase(await readMigrations())
// Beside what follows: it keeps a processor busy for ten seconds.
const compiling = compilePglite()
await import('../src/app.ts')
removeUnread()
buildChangedFiles((text) => process.stdout.write(text))
// Otherwise the sources run, and a start takes 0.3 s longer.
if (isInstalled('rolldown')) await (await import('./bundle.ts')).bundleService()
await compiling

/** What packages bring and nobody reads, a sixth of the checkout: 67 MB of headers of Node, and 40 MB of source maps. */
function removeUnread(): void {
  const folder = dirname(dirname(process.execPath))
  // Not those of a Node that the machine has.
  if (folder.includes('node_modules')) rmSync(join(folder, 'include'), { recursive: true, force: true })
  for (const file of globSync('node_modules/**/*.map')) rmSync(file)
}
