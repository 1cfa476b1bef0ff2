import { randomBytes } from 'node:crypto'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { invalidField, notFound, Refusal } from '../../kernel/refusal.ts'
import { secretToken } from '../../kernel/secret-token.ts'
import type { FeatureName, ProviderName, ProviderRow } from '../../providers/provider.ts'
import { featuresOf, providers, scopesFor } from '../../providers/provider-table.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Quotas } from '../../usage/index.ts'
import { base } from '../access.ts'
import type { OAuthApp, OAuthApps } from '../apps/app.service.ts'
import { askedFeatures, auditTarget, type Integration } from '../integrations/integration.rules.ts'
import { countPendingOfOwner, insertPending, type Owner } from '../integrations/integration.store.ts'
import type { IntegrationAccess } from '../integrations/integration-access.ts'
import { refuseOverLimits } from '../integrations/integration-limits.ts'
import { insertAuthorization } from './authorization.store.ts'
import type { ConnectBody } from './connect.schema.ts'
import type { ReturnService } from './return.service.ts'

export type ConnectDeps = {
  clock: Clock
  audit: Audit
  quotas: Quotas
  apps: Pick<OAuthApps, 'find'>
  access: IntegrationAccess
  returns: ReturnService
  /** Null: providers cannot redirect to this installation. */
  address: string | null
}

/** How long a start link works, and how long a person may take at the provider. */
export const startMs = 10 * 60_000
/** So many of an owner may wait for a confirmation. */
const pendingMax = 20
export const ticket = secretToken('atrconnect_')

export type Begun = { integrationId: string; startUrl: string; expiresAt: Date }
export type Connects = ReturnType<typeof connectService>

/** Begins a connection: a link of ours, which shows what is asked for and goes to the provider on a click. */
export function connectService({ clock, audit, quotas, apps, access, returns, address }: ConnectDeps) {
  /** Refuses NOT_CONFIGURED, VALIDATION_ERROR, NOT_FOUND, INSUFFICIENT_ROLE, QUOTA_EXCEEDED and STATE_CONFLICT. */
  async function begin(
    scope: TenantScope,
    user: { id: string },
    { provider, body }: { provider: ProviderName; body: ConnectBody },
  ): Promise<Begun> {
    const row = providers[provider]
    refuseUnknownFeatures(row, body.features)
    if (body.returnTo !== undefined) await returns.require(scope, body.returnTo)
    const app = address === null ? null : await apps.find(scope, provider)
    return transaction(scope, async (tx) => {
      const limits = await quotas.lockLimits(tx, null)
      const known = await reconnected(tx, user, { provider, body })
      const owner = known ?? (await requireOwner(tx, user, body.orgId))
      if (app === null || address === null)
        throw new Refusal('NOT_CONFIGURED', { detail: `There is no OAuth app for ${row.title} here.` })
      refuseBroker(body, app)
      const now = clock.now()
      const features = askedFeatures(known?.features ?? [], body.features)
      const asked = {
        features,
        scopes: scopesFor(row, features),
        app,
        isBroker: body.broker ?? known?.isBroker ?? false,
      }
      const integrationId = known?.id ?? newId(now)
      if (known === null) {
        await refuseOverLimits(tx, owner, limits)
        if ((await countPendingOfOwner(tx, owner)) >= pendingMax)
          throw new Refusal('QUOTA_EXCEEDED', {
            detail: `At most ${pendingMax} connections can wait for confirmation.`,
          })
        await insertPending(tx, pendingIntegration(tx, { id: integrationId, provider, owner, user, asked, now }))
      }
      const { token, tokenHash } = ticket.create(randomBytes)
      const expiresAt = new Date(now.getTime() + startMs)
      await insertAuthorization(
        tx,
        {
          tenantId: tx.tenantId,
          id: newId(now),
          integrationId,
          provider,
          userId: user.id,
          status: 'created',
          verifierSealed: null,
          codeSealed: null,
          confirmationHash: null,
          tries: 0,
          returnTo: body.returnTo ?? null,
          features,
          scopes: asked.scopes,
          app: app.kind,
          clientId: app.clientId,
          isBroker: asked.isBroker,
          expiresAt,
        },
        { ticketHash: tokenHash, now },
      )
      await audit(tx, {
        action: 'integration.connect',
        target: auditTarget({ id: integrationId }),
        changes: { provider, features, orgId: owner.orgId },
      })
      return { integrationId, startUrl: `${address}${base}/start/${token}`, expiresAt }
    })
  }

  async function reconnected(
    tx: TenantScope,
    user: { id: string },
    { provider, body }: { provider: ProviderName; body: ConnectBody },
  ): Promise<(Integration & Owner) | null> {
    if (body.integrationId === undefined) return null
    const integration = await access.lockToChange(tx, user, body.integrationId)
    const isOther = integration.provider !== provider || (body.orgId !== undefined && body.orgId !== integration.orgId)
    if (isOther) throw notFound()
    return integration as Integration & Owner
  }

  async function requireOwner(tx: TenantScope, user: { id: string }, orgId: string | undefined): Promise<Owner> {
    if (orgId === undefined) return { userId: user.id, orgId: null }
    await access.requireAdmin(tx, user, orgId)
    return { userId: null, orgId }
  }

  return { begin }
}

function refuseUnknownFeatures(row: ProviderRow, features: readonly FeatureName[]): void {
  const unknown = features.findIndex((feature) => !featuresOf(row).includes(feature))
  if (unknown >= 0)
    throw invalidField(`/body/features/${unknown}`, {
      code: 'enum',
      message: `is not a feature of ${row.title}: it has ${featuresOf(row).join(', ')}`,
    })
}

/** Access tokens are given out for a tenant's own OAuth app alone: others stand for this installation. */
function refuseBroker({ broker }: ConnectBody, { kind }: OAuthApp): void {
  if (broker && kind !== 'own')
    throw invalidField('/body/broker', { code: 'app', message: 'needs an OAuth app of the tenant’s own' })
}

type Pending = {
  id: string
  provider: ProviderName
  owner: Owner
  user: { id: string }
  asked: { features: FeatureName[]; scopes: string[]; app: OAuthApp; isBroker: boolean }
  now: Date
}

function pendingIntegration(
  { tenantId }: TenantScope,
  { id, provider, owner, user, asked, now }: Pending,
): Integration {
  const { app } = asked
  return {
    tenantId,
    id,
    provider,
    ...owner,
    connectedBy: user.id,
    status: 'pending',
    cause: null,
    accountId: null,
    accountName: null,
    choices: null,
    features: featuresOf(providers[provider]).map((name) => ({ name, status: 'off', settings: {} })),
    scopes: [],
    app: app.kind,
    clientId: app.clientId,
    isBroker: asked.isBroker,
    tokenVersion: 0,
    expiresAt: null,
    lastUsedAt: null,
    lastSuccessAt: null,
    failures: 0,
    nextTryAt: null,
    revision: 1,
    createdAt: now,
    updatedAt: now,
  }
}
