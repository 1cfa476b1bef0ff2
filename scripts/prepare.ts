import { buildChangedFiles } from '../src/built-files.ts'
import { readMigrations } from '../src/storage/migrations.ts'
import { preparedDatabase } from '../src/storage/prepared-database.ts'

// What `npm ci` runs at its end, so that the first start finds a database to copy and its modules compiled. A start makes
// what is missing by itself. What browsers get is built here, where the packages for that are installed.

await preparedDatabase(await readMigrations())
await import('../src/app.ts')
buildChangedFiles((text) => process.stdout.write(text))
