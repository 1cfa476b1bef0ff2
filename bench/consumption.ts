import { systemCaller } from '../src/kernel/caller.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { metricsRegistry } from '../src/kernel/metrics.ts'
import { licensing } from '../src/licensing/index.ts'
import { eventBus } from '../src/storage/events.ts'
import { mintPlatformScope, mintTenantScope } from '../src/storage/mint.ts'
import { openGround, secrets } from './ground/service.ts'

export type Consumption = {
  /** Takes one use of the license; false where none is left. */
  consume(licenseKey: string): Promise<boolean>
  close(): Promise<void>
}

type Place = { url: string; tenantId: string; product: string }

/**
 * The one place where the bench knows how the service takes uses below HTTP: it makes the call that the server makes
 * once a request to validate a license was admitted and read.
 */
export async function openConsumption({ url, tenantId, product }: Place): Promise<Consumption> {
  const database = await openGround({ kind: 'postgres', url, dataFolder: '' })
  const scope = mintTenantScope(database.handle, tenantId, systemCaller)
  const { routes, flush } = licensing({
    metrics: metricsRegistry(),
    platform: mintPlatformScope(database.handle, systemCaller),
    clock: systemClock,
    secrets,
    events: eventBus(),
    audit: async () => undefined,
    unknownProducts: async () => [],
    tenantExists: async () => true,
  })
  const validate = routes.find(({ name }) => name === 'validateLicense')
  if (validate === undefined) throw new Error('There is no route to validate a license.')
  const apiKey = { products: [product] }
  return {
    consume: async (licenseKey) => {
      const { body } = await validate.handle({ scope, apiKey, body: { licenseKey, consume: true } })
      return (body as { valid: boolean }).valid
    },
    close: async () => {
      await flush()
      await database.close()
    },
  }
}
