// node busy-inbound.ts <options of the database as JSON> <keys as JSON>
// Acknowledges a delivery for each key, then begins the first effect and never finishes it. A test kills it.
import { openDatabase } from '../../src/storage/database.ts'
import { createConnection, deliver, inboundApp, signed, tenantAdministrator } from './inbound.ts'

const [options = '', keys = ''] = process.argv.slice(2)
const database = await openDatabase({ ...JSON.parse(options), log: { warn: () => undefined } })
const hang = async () => () =>
  new Promise<never>(() => {
    process.stdout.write('begun')
    setInterval(() => undefined, 1000)
  })
const app = await inboundApp({ database, inbound: { process: hang } })
const { path, secret } = await createConnection(app, await tenantAdministrator(app))
for (const key of JSON.parse(keys) as string[]) {
  const { status } = await deliver(app, path, signed({ key, entity: key.slice(0, 1) }, secret))
  if (status !== 200) throw new Error(`${key} was answered with ${status}`)
}
app.app.jobs.start()
