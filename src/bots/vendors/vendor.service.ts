import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { invalidField, notFound, Refusal } from '../../kernel/refusal.ts'
import { type AllowedHosts, urlProblem } from '../../outgoing/target-address.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Secrets } from '../../storage/secrets.ts'
import type { Quotas } from '../../usage/index.ts'
import { vendorTable } from '../providers/vendor-table.ts'
import { type VendorName, vendors } from '../vendor.rules.ts'
import { closeRunsOf, countOpenRuns } from './run.store.ts'
import type { NewVendor } from './vendor.schema.ts'
import { deleteVendor, findVendor, saveVendor, type VendorSettings } from './vendor.store.ts'
import type { VendorAccount } from './vendor-http.ts'
import { keyContext } from './vendor-key-seal.ts'

/** The addresses at which vendors tell what has changed. */
export type VendorConnections = {
  /** Makes a connection, or gives one that exists a new secret. */
  put(
    tx: TenantScope,
    connection: { id: string | null; scheme: VendorName; name: string; secret: string },
  ): Promise<string>
  remove(tx: TenantScope, id: string): Promise<void>
}

export type VendorDeps = {
  clock: Clock
  audit: Audit
  quotas: Quotas
  secrets: Secrets
  allowedHosts: AllowedHosts
  connections: VendorConnections
}

export type Vendors = ReturnType<typeof vendorService>

/** The tenant's accounts at services that send bots of their own. */
export function vendorService({ clock, audit, quotas, secrets, allowedHosts, connections }: VendorDeps) {
  /** Refuses with VALIDATION_ERROR, NOT_FOUND for an unknown vendor, QUOTA_EXCEEDED, and with STATE_CONFLICT another address while bots of it live. */
  async function put(scope: TenantScope, name: string, body: NewVendor): Promise<VendorSettings> {
    const vendor = requireVendor(name)
    const address = addressOf(vendor, body)
    return transaction(scope, async (tx) => {
      // A caller who sends a bot or sets up the vendor at the same time waits.
      await quotas.lockLimits(tx, null)
      const before = await findVendor(tx, vendor)
      if (before !== null && before.baseUrl !== address.baseUrl) await requireNoBots(tx, vendor, 'move')
      const now = clock.now()
      const connectionId = await connect(tx, { vendor, id: before?.connectionId ?? null, secret: body.webhookSecret })
      const settings = { vendor, ...address, connectionId, createdAt: before?.createdAt ?? now, updatedAt: now }
      await saveVendor(tx, settings, secrets.seal(body.apiKey, keyContext(tx.tenantId, vendor)))
      await audit(tx, { action: 'bot.vendor.set', target: target(vendor), changes: address })
      return settings
    })
  }

  async function connect(
    tx: TenantScope,
    { vendor, id, secret }: { vendor: VendorName; id: string | null; secret: string | undefined },
  ): Promise<string | null> {
    return secret === undefined
      ? id
      : connections.put(tx, { id, scheme: vendor, name: vendorTable[vendor].title, secret })
  }

  /** Refuses with NOT_FOUND, and with STATE_CONFLICT while bots of it live. What the vendor did not confirm as erased is given up. */
  async function remove(scope: TenantScope, name: string): Promise<void> {
    const vendor = requireVendor(name)
    await transaction(scope, async (tx) => {
      await quotas.lockLimits(tx, null)
      const before = await findVendor(tx, vendor)
      if (before === null) throw notFound()
      const open = await requireNoBots(tx, vendor, 'delete')
      await closeRunsOf(tx, vendor, 'The settings of the vendor were deleted.')
      if (before.connectionId !== null) await connections.remove(tx, before.connectionId)
      await deleteVendor(tx, vendor)
      await audit(tx, { action: 'bot.vendor.delete', target: target(vendor), changes: { notErased: open } })
    })
  }

  /** The account to ask with. Null: there is none. */
  async function account(scope: TenantScope, vendor: VendorName): Promise<(VendorAccount & VendorSettings) | null> {
    const found = await findVendor(scope, vendor)
    if (found === null) return null
    const { apiKeySealed, ...settings } = found
    return { ...settings, apiKey: secrets.open(apiKeySealed, keyContext(scope.tenantId, vendor)) }
  }

  /** Where it is asked. Refuses with VALIDATION_ERROR. */
  function addressOf(vendor: VendorName, { region, baseUrl }: NewVendor): Pick<VendorSettings, 'region' | 'baseUrl'> {
    const { regions, baseUrl: ordinary, title } = vendorTable[vendor]
    if (regions !== null) {
      if (baseUrl !== undefined)
        throw invalidField('/body/baseUrl', { code: 'unknown', message: `is not for ${title}, which has regions` })
      const url = region !== undefined && Object.hasOwn(regions, region) ? regions[region] : undefined
      const names = Object.keys(regions).join(', ')
      if (url === undefined) throw invalidField('/body/region', { code: 'enum', message: `must be one of ${names}` })
      return { region: region ?? null, baseUrl: url }
    }
    if (region !== undefined)
      throw invalidField('/body/region', { code: 'unknown', message: `is not for ${title}, which has one address` })
    return { region: null, baseUrl: baseUrl === undefined ? (ordinary ?? '') : ownAddress(baseUrl) }
  }

  function ownAddress(text: string): string {
    const problem = urlProblem(text, allowedHosts) ?? (new URL(text).search === '' ? null : 'must have no query')
    if (problem !== null) throw invalidField('/body/baseUrl', { code: 'format', message: problem })
    return new URL(text).href.replace(/\/$/, '')
  }

  /** Returns of how many bots the vendor still has something. */
  async function requireNoBots(tx: TenantScope, vendor: VendorName, what: 'move' | 'delete'): Promise<number> {
    const { live, open } = await countOpenRuns(tx, vendor)
    if (live === 0) return open
    const detail = `${live} bots of ${vendorTable[vendor].title} are not over. Take them out before you ${what} it.`
    throw new Refusal('STATE_CONFLICT', { detail })
  }

  return { put, remove, account }
}

function requireVendor(name: string): VendorName {
  const vendor = vendors.find((known) => known === name)
  if (vendor === undefined) throw notFound()
  return vendor
}

const target = (vendor: VendorName) => ({ type: 'bot-vendor', id: vendor })
