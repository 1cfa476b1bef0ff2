import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { notFound } from '../../kernel/refusal.ts'
import { secretToken } from '../../kernel/secret-token.ts'
import { authorizeUrl } from '../../providers/app-settings.ts'
import type { ProviderName } from '../../providers/provider.ts'
import { mappedUrl, type ProviderEndpoints } from '../../providers/provider-endpoints.ts'
import { providers } from '../../providers/provider-table.ts'
import { redirectUri } from '../../providers/public-address.ts'
import { type PlatformScope, scopeToTenant, transaction } from '../../storage/scope.ts'
import { base } from '../access.ts'
import type { OAuthApp, OAuthApps } from '../apps/app.service.ts'
import { noteAdminConsent, noteCause } from '../integrations/integration.store.ts'
import type { GrantSecrets } from '../sealed-grants.ts'
import {
  type Authorization,
  type Beginning,
  consumeState,
  endAuthorization,
  findByTicket,
  keepCode,
  keepVerifier,
  startAuthorization,
} from './authorization.store.ts'
import { confirmationHash, newConfirmation } from './confirmation.rules.ts'
import { startMs, ticket } from './connect.service.ts'
import { withParams } from './return-address.rules.ts'

export type BrowserDeps = {
  clock: Clock
  apps: Pick<OAuthApps, 'find'>
  secrets: GrantSecrets
  endpoints: ProviderEndpoints
  address: string | null
}

const stateToken = secretToken('atrstate_')
const cookieToken = secretToken('atrflow_')
/** How long the code is kept for the user who began. */
const confirmMs = 3 * 60_000

export type Started = { location: string; cookie: string }
/** `refused`: an error page, and nothing that helps an attacker. */
export type Returned = { kind: 'redirect'; location: string } | { kind: 'refused' }
export type CallbackQuery = {
  state?: string | undefined
  code?: string | undefined
  error?: string | undefined
  error_description?: string | undefined
  iss?: string | undefined
}

type Asking = { app: OAuthApp; own: string; state: string; verifier: string | null }

export type BrowserFlow = ReturnType<typeof browserFlow>

/** What happens in a browser that may be anybody's: nothing here exchanges a code. */
export function browserFlow({ clock, apps, secrets, endpoints, address }: BrowserDeps) {
  /** What the start page shows. Uses nothing up, because previews read links. Refuses NOT_FOUND. */
  async function show(platform: PlatformScope, text: string): Promise<Beginning> {
    const ticketHash = ticket.hash(text)
    const beginning = ticketHash === null ? null : await findByTicket(platform, ticketHash, clock.now())
    if (beginning === null) throw notFound()
    return beginning
  }

  /** Uses the ticket up, and says where the browser goes. Refuses NOT_FOUND. */
  async function start(platform: PlatformScope, text: string): Promise<Started> {
    const beginning = await show(platform, text)
    const ticketHash = ticket.hash(text)
    const now = clock.now()
    const state = stateToken.create(randomBytes)
    const cookie = cookieToken.create(randomBytes)
    const expiresAt = new Date(now.getTime() + startMs)
    const app = await apps.find(scopeToTenant(platform, beginning.tenantId), beginning.provider)
    if (ticketHash === null || address === null || app?.clientId !== beginning.clientId) throw notFound()
    const verifier =
      providers[beginning.provider].authorize.pkce === null ? null : randomBytes(32).toString('base64url')
    await transaction(platform, async (tx) => {
      const hashes = { stateHash: state.tokenHash, cookieHash: cookie.tokenHash }
      const started = await startAuthorization(tx, ticketHash, { ...hashes, expiresAt, now })
      if (started === null) throw notFound()
      if (verifier !== null) await keepVerifier(tx, started, secrets.sealStep(verifier, 'verifier_sealed', started))
    })
    const location = providerAddress(beginning, { app, own: address, state: state.token, verifier })
    return { location, cookie: flowCookie(address, cookie.token, startMs / 1000) }
  }

  function providerAddress({ provider, scopes }: Authorization, { app, own, state, verifier }: Asking): string {
    const row = providers[provider]
    const url = authorizeUrl(row, app.settings)
    const { scopeParam, scopeSeparator } = row.authorize
    url.searchParams.set('response_type', 'code')
    url.searchParams.set('client_id', app.clientId)
    url.searchParams.set('redirect_uri', redirectUri(own, provider))
    url.searchParams.set('state', state)
    if (scopeParam !== null && scopes.length > 0) url.searchParams.set(scopeParam, scopes.join(scopeSeparator))
    if (verifier !== null) {
      url.searchParams.set('code_challenge', createHash('sha256').update(verifier).digest('base64url'))
      url.searchParams.set('code_challenge_method', 'S256')
    }
    return mappedUrl(endpoints, provider, url.href)
  }

  /** Takes the answer of a provider. The state is used up, whatever comes of it. */
  async function returned(
    platform: PlatformScope,
    { provider, query, cookie }: { provider: ProviderName; query: CallbackQuery; cookie: string | null },
  ): Promise<Returned> {
    const stateHash = stateToken.hash(query.state)
    if (stateHash === null || address === null) return { kind: 'refused' }
    const now = clock.now()
    const isIssuer = query.iss === undefined || providers[provider].isIssuer(query.iss)
    const cookieHash = cookieToken.hash(cookie)
    return transaction(platform, async (tx) => {
      const authorization = await consumeState(tx, { stateHash, provider, cookieHash, isIssuer, now })
      if (authorization === null || authorization.status !== 'returned') return { kind: 'refused' }
      const { integrationId } = authorization
      const returnTo = authorization.returnTo ?? `${address}${base}/confirmation`
      if (query.error !== undefined || query.code === undefined) {
        const error = errorWord(query)
        await endAuthorization(tx, authorization)
        const scope = scopeToTenant(tx, authorization.tenantId)
        await noteCause(scope, { id: integrationId, cause: error }, now)
        if (error === 'ADMIN_CONSENT_REQUIRED')
          await noteAdminConsent(scope, { id: integrationId, features: authorization.features }, now)
        return { kind: 'redirect', location: withParams(returnTo, { integrationId, error }) }
      }
      const confirmation = newConfirmation(randomBytes)
      await keepCode(tx, authorization, {
        codeSealed: secrets.sealStep(query.code, 'code_sealed', authorization),
        confirmationHash: confirmationHash(confirmation),
        expiresAt: new Date(now.getTime() + confirmMs),
      })
      return { kind: 'redirect', location: withParams(returnTo, { integrationId, confirmation }) }
    })
  }

  return { show, start, returned }
}

/** Microsoft's words for "an administrator of the directory has to allow it". */
const adminConsent = /AADSTS(65001|90094|90095|650056|900941)\b/

function errorWord({ error, error_description: description = '' }: CallbackQuery): string {
  if (error === 'consent_required' || adminConsent.test(description)) return 'ADMIN_CONSENT_REQUIRED'
  return error === 'access_denied' || error === 'user_denied' ? 'ACCESS_DENIED' : 'PROVIDER_ERROR'
}

/** The name of the cookie that ties a flow to one browser. `__Host-` needs TLS. */
export function flowCookieName(address: string | null): string {
  return address?.startsWith('https:') ? '__Host-atrium-connect' : 'atrium-connect'
}

function flowCookie(address: string, value: string, seconds: number): string {
  const secure = address.startsWith('https:') ? '; Secure' : ''
  return `${flowCookieName(address)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`
}
