import { requireRevision } from '../../http/cache/precondition.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { type FieldError, invalidField, notFound, Refusal, refuseFields } from '../../kernel/refusal.ts'
import type { ProviderName } from '../../providers/provider.ts'
import { isGranted, providers } from '../../providers/provider-table.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { GrantSecrets } from '../sealed-grants.ts'
import { failureRefusal, type GrantFailure } from '../tokens/grant-failure.ts'
import type { Revocations } from '../tokens/revocation.service.ts'
import { takeIntegration } from '../tokens/revocation.store.ts'
import { findTokens, replaceTokens } from '../tokens/token.store.ts'
import { auditTarget, type Feature, type Integration, settingsProblem } from './integration.rules.ts'
import type { IntegrationChange } from './integration.schema.ts'
import { findOfAccount, listIntegrations, type Owner, saveIntegration } from './integration.store.ts'
import type { IntegrationAccess } from './integration-access.ts'

export type IntegrationDeps = {
  clock: Clock
  audit: Audit
  events: EventBus
  access: IntegrationAccess
  secrets: GrantSecrets
  revocations: Revocations
}

type User = { id: string }
export type Integrations = ReturnType<typeof integrationService>

/** The integrations of users and organizations. */
export function integrationService({ clock, audit, events, access, secrets, revocations }: IntegrationDeps) {
  async function list(
    scope: TenantScope,
    user: User,
    { orgId, provider, page }: { orgId: string | undefined; provider: ProviderName | undefined; page: PageRequest },
  ): Promise<Page<Integration>> {
    if (orgId !== undefined) await access.requireMember(scope, user, orgId)
    const owner: Owner = orgId === undefined ? { userId: user.id, orgId: null } : { userId: null, orgId }
    return listIntegrations(scope, { owner, provider }, page)
  }

  /** Refuses NOT_FOUND, INSUFFICIENT_ROLE, PRECONDITION_FAILED, VALIDATION_ERROR and SCOPE_MISSING. */
  const update = (
    scope: TenantScope,
    user: User,
    { id, change, ifMatch }: { id: string; change: IntegrationChange; ifMatch: string | undefined },
  ): Promise<Integration> =>
    transaction(scope, async (tx) => {
      const integration = await access.lockToChange(tx, user, id)
      requireRevision(ifMatch, integration)
      refuseFields(changeFaults(integration, change))
      const features = integration.features.map((feature) => changedFeature(integration, feature, change))
      await saveIntegration(tx, { ...integration, features }, clock.now())
      await audit(tx, {
        action: 'integration.update',
        target: auditTarget(integration),
        changes: { features: change.features.map(({ name }) => name) },
      })
      await events.emit(tx, 'integration.updated', { tenantId: tx.tenantId, integrationId: id })
      return access.see(tx, user, id)
    })

  /** Unusable at once; a job gives the grant back. Refuses NOT_FOUND and INSUFFICIENT_ROLE. */
  const remove = (scope: TenantScope, user: User, id: string, ifMatch?: string): Promise<void> =>
    transaction(scope, async (tx) => {
      const integration = await access.lockToChange(tx, user, id)
      requireRevision(ifMatch, integration)
      await events.emit(tx, 'integration.disconnecting', { tenantId: tx.tenantId, integrationId: id })
      const grant = await takeIntegration(tx, id)
      if (grant === null) throw notFound()
      await revocations.addTaken(tx, grant)
      await audit(tx, {
        action: 'integration.disconnect',
        target: auditTarget(integration),
        changes: { provider: integration.provider },
      })
      if (integration.status !== 'pending')
        await events.emit(tx, 'integration.disconnected', { tenantId: tx.tenantId, integrationId: id })
    })

  /** Takes one of the sites. Refuses NOT_FOUND, INSUFFICIENT_ROLE, VALIDATION_ERROR and STATE_CONFLICT. */
  const chooseAccount = (
    scope: TenantScope,
    user: User,
    { id, accountId }: { id: string; accountId: string },
  ): Promise<Integration> =>
    transaction(scope, async (tx) => {
      const integration = await access.lockToChange(tx, user, id)
      if (integration.status !== 'choosing')
        throw new Refusal('STATE_CONFLICT', { detail: 'There is nothing to choose.' })
      const account = integration.choices?.find((choice) => choice.id === accountId)
      if (account === undefined)
        throw invalidField('/body/accountId', { code: 'unknown', message: 'must be one of the choices' })
      const owner = { userId: integration.userId, orgId: integration.orgId } as Owner
      const known = await findOfAccount(tx, { owner, provider: integration.provider, accountId })
      const target = known === null ? integration : await renewed(tx, { integration, known })
      const chosen = { status: 'active' as const, cause: null, accountId, accountName: account.name, choices: null }
      await saveIntegration(tx, { ...target, ...chosen }, clock.now())
      await audit(tx, { action: 'integration.account', target: auditTarget(target), changes: { accountId } })
      await events.emit(tx, 'integration.connected', { tenantId: tx.tenantId, integrationId: target.id })
      return access.see(tx, user, target.id)
    })

  /** The site is connected already: that integration gets the new tokens. */
  async function renewed(
    tx: TenantScope,
    { integration, known }: { integration: Integration; known: Integration },
  ): Promise<Integration> {
    const row = await findTokens(tx, integration.id)
    if (row?.accessSealed) {
      const access = secrets.openToken(row.accessSealed, 'access_sealed', row)
      const refresh = row.refreshSealed && secrets.openToken(row.refreshSealed, 'refresh_sealed', row)
      await replaceTokens(tx, {
        id: known.id,
        now: clock.now(),
        expiresAt: row.expiresAt,
        accessSealed: secrets.sealToken(access, 'access_sealed', known),
        refreshSealed: refresh === null ? null : secrets.sealToken(refresh, 'refresh_sealed', known),
      })
    }
    await takeIntegration(tx, integration.id)
    const { features, scopes, app, clientId } = integration
    const settings = (feature: Feature) => known.features.find(({ name }) => name === feature.name)?.settings ?? {}
    return { ...known, scopes, app, clientId, features: features.map((it) => ({ ...it, settings: settings(it) })) }
  }

  return {
    list,
    update,
    remove,
    chooseAccount,
    refusalFor: (failure: GrantFailure) => failureRefusal(failure, clock.now()),
  }
}

/** What is wrong with a change. */
function changeFaults({ provider, features, orgId }: Integration, change: IntegrationChange): FieldError[] {
  return change.features.flatMap(({ name, settings }, i) => {
    const at = `/body/features/${i}`
    if (!features.some((feature) => feature.name === name))
      return [{ path: `${at}/name`, code: 'enum', message: `must be a feature of ${provider}` }]
    const subject = { provider, feature: name, isOfOrganization: orgId !== null }
    const problem = settings === undefined ? null : settingsProblem(subject, { ...settings }, `${at}/settings`)
    return problem === null ? [] : [problem]
  })
}

function changedFeature({ provider, scopes }: Integration, feature: Feature, { features }: IntegrationChange): Feature {
  const change = features.findLast(({ name }) => name === feature.name)
  if (change === undefined) return feature
  const settings = change.settings ?? feature.settings
  if (change.status === 'off') return { ...feature, status: 'off', settings }
  if (change.status === 'on' && !isGranted(providers[provider], feature.name, scopes))
    throw new Refusal('SCOPE_MISSING', {
      detail: `The user has not allowed what ${feature.name} needs. Connect again with this feature.`,
    })
  return { ...feature, status: change.status ?? feature.status, settings }
}
