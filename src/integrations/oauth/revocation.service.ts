import type { Audit } from '../../identity/index.ts'
import type { ExhaustedJob, JobKind, JobRun, Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { type PlatformScope, type TenantScope, transaction } from '../../storage/scope.ts'
import type { ClientCredentials, GrantTokens, ProviderName } from '../providers/provider.ts'
import { providers } from '../providers/provider-table.ts'
import type { OAuthApps } from './app.service.ts'
import type { AskProvider } from './provider-http.ts'
import {
  deleteRevocation,
  findRevocation,
  insertRevocation,
  isGrantShared,
  type Revocation,
  type TakenGrant,
} from './revocation.store.ts'
import type { GrantSecrets } from './sealed-grants.ts'

/** Eight attempts in about two hours. */
export const revokeJob: JobKind<{ revocationId: string }> = {
  name: 'integrations.grant.revoke',
  attemptsMax: 8,
  backoffSeconds: 60,
  timeoutSeconds: 60,
}

export type RevocationDeps = {
  platform: PlatformScope
  clock: Clock
  audit: Audit
  jobs: Jobs
  secrets: GrantSecrets
  apps: Pick<OAuthApps, 'find'>
  ask: AskProvider
}

/** `SHARED`: another integration lives by the same grant. */
type Outcome = 'REVOKED' | 'UNSUPPORTED' | 'FAILED' | 'SHARED'
type Sealed = { client: ClientCredentials; tokens: GrantTokens }

export type Revocations = ReturnType<typeof revocationService>

/** Gives grants back to their providers. */
export function revocationService({ platform, clock, audit, jobs, secrets, apps, ask }: RevocationDeps) {
  /**
   * Keeps the tokens of an integration that is gone until they are revoked, in the transaction that deletes it. Nothing else
   * can use them from then on.
   */
  async function addTaken(tx: TenantScope, grant: TakenGrant): Promise<void> {
    if (grant.accessSealed === null) return
    const accessToken = secrets.openToken(grant.accessSealed, 'access_sealed', grant)
    const refreshToken =
      grant.refreshSealed === null ? null : secrets.openToken(grant.refreshSealed, 'refresh_sealed', grant)
    await add(tx, { ...grant, integrationId: grant.id }, { accessToken, refreshToken })
  }

  async function add(
    tx: TenantScope,
    grant: { provider: ProviderName; clientId: string; accountId: string | null; integrationId: string },
    tokens: GrantTokens,
  ): Promise<void> {
    const { provider, clientId, accountId, integrationId } = grant
    const app = await apps.find(tx, provider)
    // Of a client that is no longer set there is no secret to ask with.
    const client = { clientId, clientSecret: app?.clientId === clientId ? app.clientSecret : '' }
    const now = clock.now()
    const id = newId(now)
    const grantSealed = secrets.sealRevocation(JSON.stringify({ client, tokens } satisfies Sealed), id)
    const row = { id, provider, clientId, accountId, grantSealed, tenantId: tx.tenantId, integrationId }
    await insertRevocation(tx, row, now)
    // Of no tenant: it is done even where the tenant is erased meanwhile.
    await jobs.enqueue(tx, revokeJob, { data: { revocationId: id }, tenantId: null, id })
  }

  async function run({ data, signal }: JobRun<{ revocationId: string }>): Promise<void> {
    const revocation = await findRevocation(platform, data.revocationId)
    if (revocation !== null) await end(revocation, await revoke(revocation, signal))
  }

  async function revoke(revocation: Revocation, signal: AbortSignal): Promise<Outcome> {
    const { provider, id, grantSealed } = revocation
    const row = providers[provider]
    if (row.revoke === null) return 'UNSUPPORTED'
    if (await isGrantShared(platform, revocation)) return 'SHARED'
    const { client, tokens } = JSON.parse(secrets.openRevocation(grantSealed, id)) as Sealed
    const received = await ask(provider, row.revoke(client, tokens), { timeoutMs: 20_000, signal })
    const { status } = row.toApiAnswer(received)
    // RFC 7009, section 2.2: a token that is not valid is no error. Providers say 400, 401 or 404 instead.
    if (status < 500 && status !== 429 && status !== 403) return 'REVOKED'
    throw new Error(`${provider} answered the revocation with ${status}.`)
  }

  const end = ({ id, tenantId, integrationId, provider }: Revocation, outcome: Outcome): Promise<void> =>
    transaction(platform, async (tx) => {
      if ((await deleteRevocation(tx, id)) === 0 || tenantId === null) return
      await audit(tx, {
        action: 'integration.revoke',
        target: { type: 'integration', id: integrationId ?? id },
        tenantId,
        changes: { provider, outcome },
      })
    })

  async function onExhausted({ data }: ExhaustedJob<object>): Promise<void> {
    const revocation = await findRevocation(platform, (data as { revocationId: string }).revocationId)
    if (revocation !== null) await end(revocation, 'FAILED')
  }

  return { add, addTaken, run, onExhausted }
}
