import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type FieldRule, type Fitting, refuseBroken, ruleFor } from '../../kernel/field-rules.ts'
import { newId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { invalidField, notFound, Refusal } from '../../kernel/refusal.ts'
import { type AllowedHosts, urlProblem } from '../../outgoing/target-address.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Quotas } from '../../usage/index.ts'
import { type Endpoint, endpointsMax, secretOverlapMs } from '../endpoint.rules.ts'
import {
  countEndpoints,
  deleteEndpoint,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
  replaceSecret,
  saveEndpoint,
} from '../endpoint.store.ts'
import type { SigningSecrets } from '../endpoint-secrets.ts'
import { filterProblem } from '../event-filter.rules.ts'
import { eventTypeNames } from '../event-types/event-types.ts'
import { newSigningSecret } from '../signature.rules.ts'
import type { EndpointChange, NewEndpoint } from './endpoint.schema.ts'

export type EndpointDeps = {
  clock: Clock
  audit: Audit
  quotas: Quotas
  secrets: SigningSecrets
  allowedHosts: AllowedHosts
}
export type Endpoints = ReturnType<typeof endpointService>

/** `secret` is shown once, in the answer to the request that created it. */
export type EndpointWithSecret = { endpoint: Endpoint; secret: string }

/** The endpoints that a tenant's events are sent to. An unknown endpoint and one of another tenant are NOT_FOUND in every call. */
export function endpointService({ clock, audit, quotas, secrets, allowedHosts }: EndpointDeps) {
  const record = (tx: TenantScope, verb: string, id: string, changes?: Record<string, unknown>) =>
    audit(tx, {
      action: `webhookEndpoint.${verb}`,
      target: { type: 'webhookEndpoint', id },
      ...(changes ? { changes } : {}),
    })

  /** Rules of `create` and `update`. */
  const rules = ({ url, eventTypes = [] }: Fitting<EndpointChange>): FieldRule[] => [
    ruleFor(url, (text) => {
      const problem = urlProblem(text, allowedHosts)
      if (problem !== null) throw invalidField('/body/url', { code: 'url', message: problem })
    }),
    ...eventTypes.map((filter, index) => () => {
      const message = filterProblem(filter, eventTypeNames)
      if (message !== null) throw invalidField(`/body/eventTypes/${index}`, { code: 'unknown', message })
    }),
  ]

  /** Refuses with QUOTA_EXCEEDED, and with VALIDATION_ERROR for a URL that is not allowed. */
  async function create(scope: TenantScope, asked: NewEndpoint): Promise<EndpointWithSecret> {
    await refuseBroken(rules(asked))
    const { url, description = null, eventTypes = [], ratePerMinute = null } = asked
    const now = clock.now()
    const id = newId(now)
    const secret = newSigningSecret()
    const secretSealed = secrets.seal(secret, { tenantId: scope.tenantId, id })
    return transaction(scope, async (tx) => {
      // Locks the tenant, so that two requests cannot both create the last endpoint.
      await quotas.lockLimits(tx, null)
      if ((await countEndpoints(tx)) >= endpointsMax)
        throw new Refusal('QUOTA_EXCEEDED', { detail: `A tenant has at most ${endpointsMax} endpoints.` })
      const endpoint = await insertEndpoint(tx, { id, url, description, eventTypes, ratePerMinute, secretSealed, now })
      // Not the URL: with some receivers a token in the URL is the only secret.
      await record(tx, 'create', id, { eventTypes, ratePerMinute })
      return { endpoint, secret }
    })
  }

  async function get(scope: TenantScope, id: string): Promise<Endpoint> {
    return orNotFound(await findEndpoint(scope, id))
  }

  function list(scope: TenantScope, page: PageRequest): Promise<Page<Endpoint>> {
    return listEndpoints(scope, page)
  }

  /** A new URL resets the failures. Refuses with VALIDATION_ERROR as `create` does. */
  async function update(scope: TenantScope, id: string, asked: EndpointChange): Promise<Endpoint> {
    await refuseBroken(rules(asked))
    return transaction(scope, async (tx) => {
      const endpoint = orNotFound(await lockEndpoint(tx, id))
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

  /** Also removes its deliveries, sent and pending. */
  function remove(scope: TenantScope, id: string): Promise<void> {
    return transaction(scope, async (tx) => {
      if (!(await deleteEndpoint(tx, id))) throw notFound()
      await record(tx, 'delete', id)
    })
  }

  /** Creates a new secret. The old one signs as well until the overlap ends. */
  function rotate(scope: TenantScope, id: string): Promise<EndpointWithSecret> {
    const now = clock.now()
    const secret = newSigningSecret()
    return transaction(scope, async (tx) => {
      orNotFound(await lockEndpoint(tx, id))
      const secretSealed = secrets.seal(secret, { tenantId: tx.tenantId, id })
      const previousUntil = new Date(now.getTime() + secretOverlapMs)
      const endpoint = orNotFound(await replaceSecret(tx, { id, secretSealed, previousUntil, now }))
      await record(tx, 'rotate_secret', id, { previousUntil })
      return { endpoint, secret }
    })
  }

  /** Clears its failures. Failed deliveries are resent only when the tenant asks for it. */
  function enable(scope: TenantScope, id: string): Promise<Endpoint> {
    return transaction(scope, async (tx) => {
      const endpoint = orNotFound(await lockEndpoint(tx, id))
      if (endpoint.status === 'ACTIVE') return endpoint
      const health = { status: 'ACTIVE', disabledReason: null, disabledAt: null, failingSince: null } as const
      const next = { ...endpoint, ...health, updatedAt: clock.now() }
      await saveEndpoint(tx, next)
      await record(tx, 'enable', id)
      return next
    })
  }

  return { rules, create, get, list, update, remove, rotate, enable }
}

function orNotFound<T>(found: T | null): T {
  if (found === null) throw notFound()
  return found
}
