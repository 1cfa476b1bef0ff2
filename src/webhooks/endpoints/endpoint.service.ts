import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { invalidField, notFound, Refusal } from '../../kernel/refusal.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Quotas } from '../../usage/index.ts'
import { newSigningSecret } from '../deliveries/signature.rules.ts'
import { eventTypeNames } from '../events/event-types.ts'
import { type Reach, urlProblem } from './addresses.ts'
import { type Endpoint, endpointsMax, overlapMs, uselessFilters } from './endpoint.rules.ts'
import type { EndpointChange, NewEndpoint } from './endpoint.schema.ts'
import {
  countEndpoints,
  deleteEndpoint,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
  replaceSecret,
  saveEndpoint,
} from './endpoint.store.ts'
import type { SigningSecrets } from './endpoint-secrets.ts'

export type EndpointDeps = { clock: Clock; audit: Audit; quotas: Quotas; secrets: SigningSecrets; reach: Reach }
export type Endpoints = ReturnType<typeof endpointService>

/** With the text that is shown once. */
export type ShownEndpoint = { endpoint: Endpoint; secret: string }

/** The addresses that a tenant's events go to. One that is unknown or another tenant's is NOT_FOUND everywhere. */
export function endpointService({ clock, audit, quotas, secrets, reach }: EndpointDeps) {
  const record = (tx: TenantScope, verb: string, id: string, changes?: Record<string, unknown>) =>
    audit(tx, {
      action: `webhookEndpoint.${verb}`,
      target: { type: 'webhookEndpoint', id },
      ...(changes ? { changes } : {}),
    })

  const refuseFaults = ({ url, eventTypes = [] }: EndpointChange): void => {
    const problem = url === undefined ? null : urlProblem(url, reach)
    if (problem !== null) throw invalidField('/body/url', { code: 'url', message: problem })
    const [useless] = uselessFilters(eventTypes, eventTypeNames)
    if (useless !== undefined)
      throw invalidField('/body/eventTypes', { code: 'unknown', message: `names no event: ${useless}` })
  }

  /** Refuses QUOTA_EXCEEDED, and VALIDATION_ERROR for an address that is not to be reached. */
  function create(scope: TenantScope, asked: NewEndpoint): Promise<ShownEndpoint> {
    refuseFaults(asked)
    const { url, description = null, eventTypes = [], ratePerMinute = null } = asked
    const now = clock.now()
    const id = newId(now)
    const secret = newSigningSecret()
    const secretSealed = secrets.seal(secret, { tenantId: scope.tenantId, id })
    return transaction(scope, async (tx) => {
      // Holds the tenant: of two who ask for the last one, one gets it.
      await quotas.lockLimits(tx, null)
      if ((await countEndpoints(tx)) >= endpointsMax)
        throw new Refusal('QUOTA_EXCEEDED', { detail: `A tenant has at most ${endpointsMax} endpoints.` })
      const endpoint = await insertEndpoint(tx, { id, url, description, eventTypes, ratePerMinute, secretSealed, now })
      // Not the address: some receivers are known by nothing but a token in it.
      await record(tx, 'create', id, { eventTypes, ratePerMinute })
      return { endpoint, secret }
    })
  }

  async function get(scope: TenantScope, id: string): Promise<Endpoint> {
    return present(await findEndpoint(scope, id))
  }

  function list(scope: TenantScope, page: PageRequest): Promise<Page<Endpoint>> {
    return listEndpoints(scope, page)
  }

  /** At another address it has not failed yet. Refuses VALIDATION_ERROR as `create`. */
  function update(scope: TenantScope, id: string, asked: EndpointChange): Promise<Endpoint> {
    refuseFaults(asked)
    return transaction(scope, async (tx) => {
      const endpoint = present(await lockEndpoint(tx, id))
      const fields = Object.keys(asked) as (keyof EndpointChange)[]
      if (fields.every((field) => JSON.stringify(asked[field]) === JSON.stringify(endpoint[field]))) return endpoint
      const isMoved = asked.url !== undefined && asked.url !== endpoint.url
      const failingSince = isMoved ? null : endpoint.failingSince
      const next = { ...endpoint, ...asked, failingSince, updatedAt: clock.now() }
      await saveEndpoint(tx, next)
      await record(tx, 'update', id, { fields })
      return next
    })
  }

  /** With all that was sent to it and waits to be. */
  function remove(scope: TenantScope, id: string): Promise<void> {
    return transaction(scope, async (tx) => {
      if (!(await deleteEndpoint(tx, id))) throw notFound()
      await record(tx, 'delete', id)
    })
  }

  /** A new secret; the old one signs beside it until the overlap ends. */
  function rotate(scope: TenantScope, id: string): Promise<ShownEndpoint> {
    const now = clock.now()
    const secret = newSigningSecret()
    return transaction(scope, async (tx) => {
      present(await lockEndpoint(tx, id))
      const secretSealed = secrets.seal(secret, { tenantId: tx.tenantId, id })
      const previousUntil = new Date(now.getTime() + overlapMs)
      const endpoint = present(await replaceSecret(tx, { id, secretSealed, previousUntil, now }))
      await record(tx, 'rotate_secret', id, { previousUntil })
      return { endpoint, secret }
    })
  }

  /** As if it had never failed. What failed meanwhile is sent again only when the tenant asks. */
  function enable(scope: TenantScope, id: string): Promise<Endpoint> {
    return transaction(scope, async (tx) => {
      const endpoint = present(await lockEndpoint(tx, id))
      if (endpoint.status === 'ACTIVE') return endpoint
      const health = { status: 'ACTIVE', disabledReason: null, disabledAt: null, failingSince: null } as const
      const next = { ...endpoint, ...health, updatedAt: clock.now() }
      await saveEndpoint(tx, next)
      await record(tx, 'enable', id)
      return next
    })
  }

  return { create, get, list, update, remove, rotate, enable }
}

function present<T>(found: T | null): T {
  if (found === null) throw notFound()
  return found
}
