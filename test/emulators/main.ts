// npm run emulators [-- --port 4010]: runs until it is stopped.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmulators } from './emulators.ts'

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } })
const emulators = await startEmulators({ port: Number(values.port) })
const folder = await mkdtemp(join(tmpdir(), 'atrium-emulators-'))
const apps = join(folder, 'oauth-apps.json')
await writeFile(apps, JSON.stringify(emulators.apps, null, 2), { mode: 0o600 })
console.log(`PROVIDER_ENDPOINTS=${emulators.endpoints}`)
console.log(`OAUTH_APPS=${apps}`)

const stop = async () => {
  await emulators.close()
  await rm(folder, { recursive: true, force: true })
  process.exit(0)
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
