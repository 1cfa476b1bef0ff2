import { timingSafeEqual } from 'node:crypto'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isId } from '../../kernel/ids.ts'
import { invalidField, notFound, Refusal } from '../../kernel/refusal.ts'
import type { Account, Identity } from '../../providers/provider.ts'
import { type AskProvider, ProviderUnreachable } from '../../providers/provider-http.ts'
import { isGranted, providers } from '../../providers/provider-table.ts'
import { redirectUri } from '../../providers/public-address.ts'
import type { IssuedTokens, TokenClient } from '../../providers/token-client.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Quotas } from '../../usage/index.ts'
import type { OAuthApps } from '../apps/app.service.ts'
import { auditTarget, grantedFeatures, type Integration } from '../integrations/integration.rules.ts'
import { findOfAccount, type Owner, saveIntegration } from '../integrations/integration.store.ts'
import type { IntegrationAccess } from '../integrations/integration-access.ts'
import { refuseOverLimits } from '../integrations/integration-limits.ts'
import type { GrantSecrets } from '../sealed-grants.ts'
import type { Revocations } from '../tokens/revocation.service.ts'
import { takeIntegration } from '../tokens/revocation.store.ts'
import { sealedTokens } from '../tokens/token.rules.ts'
import { replaceTokens } from '../tokens/token.store.ts'
import { type Authorization, countTry, endAuthorization, lockNewest } from './authorization.store.ts'
import { confirmationHash } from './confirmation.rules.ts'

export type ConfirmDeps = {
  clock: Clock
  audit: Audit
  events: EventBus
  quotas: Quotas
  apps: Pick<OAuthApps, 'find'>
  access: IntegrationAccess
  secrets: GrantSecrets
  client: TokenClient
  ask: AskProvider
  revocations: Revocations
  address: string | null
}

const triesMax = 5
const identityTimeoutMs = 10_000

type Grant = { authorization: Authorization; tokens: IssuedTokens; identity: Identity }

/** The last step of connecting: the user who began it confirms, and only then is the code exchanged. */
export function confirmService(deps: ConfirmDeps) {
  const { clock, audit, events, quotas, apps, access, secrets, client, ask, revocations, address } = deps

  /** Refuses NOT_FOUND, VALIDATION_ERROR, STATE_CONFLICT, QUOTA_EXCEEDED and UNAVAILABLE. */
  async function confirm(scope: TenantScope, user: { id: string }, { id, text }: { id: string; text: string }) {
    const taken = await take(scope, user, { id, text })
    const tokens = await exchange(scope, taken)
    const identity = await whoIs(taken.authorization, tokens)
    const grant = { authorization: taken.authorization, tokens, identity }
    try {
      return await transaction(scope, (tx) => keep(tx, user, grant))
    } catch (error) {
      // Nobody will use these tokens.
      await discard(scope, grant)
      throw error
    }
  }

  const discard = (scope: TenantScope, { authorization, tokens, identity }: Grant): Promise<void> =>
    transaction(scope, (tx) => {
      const accountId = 'account' in identity ? identity.account.id : null
      // They were issued a moment ago.
      return revocations.add(tx, { ...authorization, accountId }, { ...tokens, expiresAt: null })
    })

  type Taken = { authorization: Authorization; code: string; verifier: string | null }

  /** Uses the confirmation up, together with the code. */
  async function take(
    scope: TenantScope,
    user: { id: string },
    { id, text }: { id: string; text: string },
  ): Promise<Taken> {
    if (!isId(id)) throw notFound()
    // A wrong try is counted, so its transaction must not be rolled back.
    const outcome = await transaction(scope, async (tx): Promise<Taken | Refusal> => {
      const authorization = await lockNewest(tx, { integrationId: id, userId: user.id })
      if (authorization === null) return notFound()
      const { status, expiresAt, tries, confirmationHash: expected, codeSealed, verifierSealed } = authorization
      const isOpen = status === 'returned' && expiresAt > clock.now() && tries < triesMax
      if (!isOpen || expected === null || codeSealed === null) return over()
      if (!timingSafeEqual(expected, confirmationHash(text))) {
        await countTry(tx, authorization.id)
        await audit(tx, { action: 'integration.confirm', target: auditTarget({ id }), outcome: 'DENIED' })
        return invalidField('/body/confirmation', {
          code: 'wrong',
          message: 'is not the confirmation of this connection',
        })
      }
      await endAuthorization(tx, authorization)
      const code = secrets.openStep(codeSealed, 'code_sealed', authorization)
      const verifier = verifierSealed && secrets.openStep(verifierSealed, 'verifier_sealed', authorization)
      return { authorization, code, verifier }
    })
    if (outcome instanceof Refusal) throw outcome
    return outcome
  }

  async function exchange(scope: TenantScope, { authorization, code, verifier }: Taken): Promise<IssuedTokens> {
    const { provider } = authorization
    const app = await apps.find(scope, provider)
    if (app?.clientId !== authorization.clientId || address === null) throw over()
    const redirect = redirectUri(address, provider)
    const outcome = await client.exchange(providers[provider], app, { code, verifier, redirectUri: redirect })
    if (outcome.kind === 'issued') return outcome.tokens
    if (outcome.kind === 'unavailable') throw unavailable()
    throw new Refusal('STATE_CONFLICT', {
      detail: `${providers[provider].title} did not accept the code. Connect again.`,
    })
  }

  async function whoIs({ provider }: Authorization, { accessToken }: IssuedTokens): Promise<Identity> {
    const row = providers[provider]
    const received = await ask(provider, row.identity.request(accessToken), { timeoutMs: identityTimeoutMs }).catch(
      (error: unknown) => {
        throw error instanceof ProviderUnreachable ? unavailable() : error
      },
    )
    const { status, body } = row.toApiAnswer(received)
    const identity = status < 300 ? row.identity.read(body) : null
    if (identity === null) throw unavailable()
    return identity
  }

  async function keep(tx: TenantScope, user: { id: string }, grant: Grant): Promise<Integration> {
    const { authorization, tokens, identity } = grant
    const limits = await quotas.lockLimits(tx, null)
    const begun = await access.lockToChange(tx, user, authorization.integrationId)
    const owner = { userId: begun.userId, orgId: begun.orgId } as Owner
    const account = accountOf(begun, identity)
    const target = account === null ? begun : await ofAccount(tx, { begun, owner, account })
    const isNew = target.status === 'pending'
    if (isNew) await refuseOverLimits(tx, owner, limits)
    const now = clock.now()
    const row = providers[target.provider]
    const scopes = tokens.scopes ?? authorization.scopes
    const next: Integration = {
      ...target,
      status: account === null ? 'choosing' : 'active',
      cause: null,
      accountId: account?.id ?? null,
      accountName: account?.name ?? null,
      choices: 'choices' in identity ? identity.choices : null,
      scopes,
      features: grantedFeatures(row, target.features, {
        asked: authorization.features,
        isGranted: (feature) => isGranted(row, feature, scopes),
      }),
      app: authorization.app,
      clientId: authorization.clientId,
      isBroker: authorization.isBroker,
      connectedBy: user.id,
    }
    await saveIntegration(tx, next, now)
    await replaceTokens(tx, { id: next.id, now, ...sealedTokens(secrets, next, { tokens, now }) })
    await audit(tx, {
      action: 'integration.confirm',
      target: auditTarget(next),
      changes: { provider: next.provider, accountId: next.accountId },
    })
    // Of several sites one is still to be chosen.
    if (next.status === 'active')
      await events.emit(tx, 'integration.connected', { tenantId: tx.tenantId, integrationId: next.id })
    return access.see(tx, user, next.id)
  }

  /** The integration that the account has already, in place of the one that was begun. */
  async function ofAccount(
    tx: TenantScope,
    { begun, owner, account }: { begun: Integration; owner: Owner; account: Account },
  ): Promise<Integration> {
    if (begun.accountId !== null) return begun
    const known = await findOfAccount(tx, { owner, provider: begun.provider, accountId: account.id })
    if (known === null || known.id === begun.id) return begun
    await takeIntegration(tx, begun.id)
    return known
  }

  return { confirm }
}

/** Null: one of several sites is still to be chosen. Refuses STATE_CONFLICT for another account than that of the integration. */
function accountOf({ accountId }: Integration, identity: Identity): Account | null {
  const accounts = 'account' in identity ? [identity.account] : identity.choices
  if (accountId === null) return 'account' in identity ? identity.account : null
  const same = accounts.find(({ id }) => id === accountId)
  if (same !== undefined) return same
  throw new Refusal('STATE_CONFLICT', {
    detail: 'That is another account than the one of this integration. Connect it as a new one.',
  })
}

function over(): Refusal {
  return new Refusal('STATE_CONFLICT', { detail: 'The confirmation was already used or has expired. Connect again.' })
}

function unavailable(): Refusal {
  return new Refusal('UNAVAILABLE', { detail: 'The provider cannot be reached. Connect again.', retryAfterSeconds: 5 })
}
