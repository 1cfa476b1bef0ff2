import type { Call, Reply, Routes } from '../call.ts'

/** Somebody who can sign in at the provider. `id` is what its whoami names. */
export type Person = { id: string; name: string; email: string }

/** What a person allowed an app. */
export type Grant = {
  id: string
  clientId: string
  person: Person
  scopes: string[]
  /** The parameters of the authorization request. */
  asked: Record<string, string>
}

export type TokenAnswer = { status: number; body: Record<string, unknown> }

export type OauthBehaviour = {
  authorizeAt: string
  tokenAt: string
  /** `iss` of callbacks (RFC 9207), where the provider sends it. */
  issuer: string
  sendsIssuer?: boolean
  clientAuthentication: 'client_secret_post' | 'client_secret_basic'
  pkce: 'required' | 'optional'
  codeSeconds: number
  /** How long access tokens live. Null: for ever, and there are no refresh tokens. */
  accessSeconds: number | null
  /** With `expiringTokens` switched on at the app, where `accessSeconds` is null. */
  expiringAccessSeconds?: number
  refreshSeconds: number
  /** `kept`: a refresh returns no new one. `replaced`: a new one, and the old one works on for `graceSeconds`. */
  rotation: 'kept' | 'replaced'
  graceSeconds: number
  /** Whether the use of a replaced refresh token after that ends the whole grant. Otherwise it is only refused. */
  reuseEndsGrant: boolean
  scopeSeparator: ' ' | ','
  hasScopes: boolean
  /** Whether this authorization gets a refresh token. */
  isOffline(grant: Grant): boolean
  /** Makes an ordinary token request of RFC 6749 of the provider's. */
  toRequest?(call: Call): Call
  /** Makes the provider's answer of an ordinary one. */
  toAnswer(answer: TokenAnswer, context: { grant: Grant | null; isRefresh: boolean }): TokenAnswer
  people: Person[]
  /** Revocation and what else belongs to OAuth. */
  routes?(core: OauthCore): Routes
}

export type OauthCore = {
  grantOf(token: string): Grant | null
  /** Ends the grant of this access or refresh token, with all its tokens. */
  revokeToken(token: string): boolean
  /** RFC 7009, with the client's credentials. */
  revocation(call: Call): Promise<Reply>
  isClient(clientId: string, secret: string): boolean
}

export function credentialsOf(call: Call): { clientId: string; secret: string } {
  const encoded = /^Basic (.+)$/.exec(call.headers.authorization ?? '')?.[1] ?? ''
  const [clientId = '', secret = ''] = Buffer.from(encoded, 'base64').toString().split(':').map(decodeURIComponent)
  return { clientId, secret }
}
