import type { Audit } from '../../identity/index.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { providers } from '../../providers/provider-table.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { causeOf } from '../tokens/failure-cause.ts'
import type { CallApi } from '../tokens/provider-calls.ts'
import type { Tokens } from '../tokens/token.service.ts'
import { auditTarget, type Integration } from './integration.rules.ts'
import type { IntegrationAccess } from './integration-access.ts'

export type CheckDeps = { access: IntegrationAccess; tokens: Tokens; callApi: CallApi; audit: Audit }
type User = { id: string }
export type Checked = { integration: Integration; result: { ok: boolean; cause: string | null } }
export type Checks = ReturnType<typeof checkService>

/** What a person asks of a connection by hand. That the provider fails is a result and no refusal. */
export function checkService({ access, tokens, callApi, audit }: CheckDeps) {
  /** Asks the provider whose account it is. Refuses NOT_FOUND and INSUFFICIENT_ROLE. */
  async function test(scope: TenantScope, user: User, id: string): Promise<Checked> {
    const { provider } = await access.change(scope, user, id)
    const { identity } = providers[provider]
    const cause = await causeOf(async () => {
      const { status, body } = await callApi(scope, id, identity.request)
      return status < 300 && identity.read(body) !== null ? null : 'PROVIDER_UNAVAILABLE'
    })
    return checked(scope, user, id, cause)
  }

  /** Refuses NOT_FOUND, INSUFFICIENT_ROLE, and STATE_CONFLICT without a refresh token. */
  async function refresh(scope: TenantScope, user: User, id: string): Promise<Checked> {
    await access.change(scope, user, id)
    const cause = await causeOf(async () => {
      const row = await tokens.requireTokens(scope, id)
      if (row.refreshSealed === null)
        throw new Refusal('STATE_CONFLICT', {
          detail: 'The provider gave no refresh token: there is nothing to refresh.',
        })
      await tokens.renew(scope, id, row.version)
      return null
    })
    return checked(scope, user, id, cause)
  }

  async function checked(scope: TenantScope, user: User, id: string, cause: string | null): Promise<Checked> {
    return { integration: await access.see(scope, user, id), result: { ok: cause === null, cause } }
  }

  /** The access token itself, for a tenant's own OAuth app. Refuses NOT_FOUND, STATE_CONFLICT, REAUTH_REQUIRED and UNAVAILABLE. */
  async function giveToken(scope: TenantScope, user: User, id: string) {
    const integration = await access.change(scope, user, id)
    if (!integration.isBroker || integration.app !== 'own')
      throw new Refusal('STATE_CONFLICT', {
        detail: 'It was not connected with `broker: true`, by an app of the tenant’s own.',
      })
    const { token, version } = await tokens.get(scope, id)
    await transaction(scope, (tx) => audit(tx, { action: 'integration.token', target: auditTarget(integration) }))
    const { expiresAt } = await tokens.requireTokens(scope, id)
    return { accessToken: token, version, expiresAt, scopes: integration.scopes }
  }

  return { test, refresh, giveToken }
}
