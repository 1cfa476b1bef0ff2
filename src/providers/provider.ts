/**
 * What a provider is: a row of data. Beside it stand only pure functions that make odd requests and answers ordinary.
 * Addresses come from the row alone, never from a tenant, discovery or an answer.
 */

export const providerNames = [
  'google',
  'microsoft',
  'slack',
  'zoom',
  'atlassian',
  'github',
  'linear',
  'notion',
  'hubspot',
] as const
export type ProviderName = (typeof providerNames)[number]

export const featureNames = [
  'calendar',
  'transcripts',
  'post',
  'answer',
  'tasks',
  'export',
  'import',
  'crm',
  'mail',
] as const
export type FeatureName = (typeof featureNames)[number]

/** The OAuth client that is registered at the provider. */
export type ClientCredentials = { clientId: string; clientSecret: string }

/** A request before its address is mapped (`PROVIDER_ENDPOINTS`). */
export type ProviderRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: string
}

/** `body` is parsed JSON; null if it is none. */
export type ProviderAnswer = { status: number; body: unknown }

export type Account = { id: string; name: string }
/** One account, or several sites of which the user chooses one. */
export type Identity = { account: Account } | { choices: Account[] }

/** Where a provider is written to, in its own words. */
export type Target = Record<string, string>

/** What a grant was given, as `revoke` needs it. */
export type GrantTokens = { accessToken: string; refreshToken: string | null }

export type ProviderRow = {
  name: ProviderName
  title: string
  /** When the facts of the row were last compared with these pages. */
  facts: { checkedOn: string; sources: string[] }
  authorize: {
    url: string
    /** Sent beside those of RFC 6749. */
    params: Record<string, string>
    scopeParam: 'scope' | null
    scopeSeparator: ' ' | ','
    pkce: 'S256' | null
  }
  /** The `iss` of its callbacks (RFC 9207), checked where it is sent. A function where it varies. */
  isIssuer: (issuer: string) => boolean
  token: {
    url: string
    clientAuthentication: 'body' | 'basic'
    bodyType: 'form' | 'json'
    headers: Record<string, string>
    /** Whether a refresh replaces the refresh token. `answer`: only where the answer has a new one. */
    rotation: 'never' | 'always' | 'answer'
    /** Whether an earlier refresh token still works for a while after its use. */
    hasGrace: boolean
  }
  /** The words of the token endpoint that mean that the grant is dead. Nothing else means it. */
  deadGrantWords: readonly string[]
  scopes: { base: readonly string[]; features: Partial<Record<FeatureName, readonly string[]>> }
  /** Scopes that the provider grants without listing them in its answer. */
  unlistedScopes: readonly string[]
  /** Hosts that get the access token. */
  apiHosts: readonly string[]
  /** Further hosts of links in answers, such as downloads; `*.` before one: all hosts below. They get no token. */
  linkHosts: readonly string[]
  identity: { request(accessToken: string): ProviderRequest; read(answer: unknown): Identity | null }
  /** Null: the provider has no such call. */
  revoke: ((client: ClientCredentials, grant: GrantTokens) => ProviderRequest) | null
  /** Whether only a live access token names the grant to `revoke`. Elsewhere the refresh token does. */
  isRevokedByAccessToken: boolean
  /** Makes an answer of the token endpoint one of RFC 6749. */
  toTokenAnswer(answer: ProviderAnswer): ProviderAnswer
  /** Makes an answer of the API an ordinary one: a refused token is 401, a failure has a status of 400 or more. */
  toApiAnswer(answer: ProviderAnswer): ProviderAnswer
}

/** What most rows share. */
export const ordinary = {
  isIssuer: () => false,
  unlistedScopes: [],
  linkHosts: [],
  isRevokedByAccessToken: false,
  toTokenAnswer: (answer: ProviderAnswer) => answer,
  toApiAnswer: (answer: ProviderAnswer) => answer,
} as const satisfies Partial<ProviderRow>

export function bearerRequest(accessToken: string, url: string, headers: Record<string, string> = {}): ProviderRequest {
  return { method: 'GET', url, headers: { accept: 'application/json', ...headers, ...bearer(accessToken) } }
}

export function jsonRequest(
  accessToken: string,
  request: Pick<ProviderRequest, 'method' | 'url'> & { body?: unknown; headers?: Record<string, string> },
): ProviderRequest {
  const { method, url, body, headers = {} } = request
  return {
    method,
    url,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
      ...bearer(accessToken),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
}

export function bearer(accessToken: string): { authorization: string } {
  return { authorization: `Bearer ${accessToken}` }
}

/** RFC 6749, section 2.3.1: both parts are encoded as in a form. */
export function basic({ clientId, clientSecret }: ClientCredentials): { authorization: string } {
  const encoded = [clientId, clientSecret].map(encodeURIComponent).join(':')
  return { authorization: `Basic ${Buffer.from(encoded).toString('base64')}` }
}

/** Revocation as in RFC 7009. */
export function formRevocation(url: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  return {
    method: 'POST' as const,
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json', ...headers },
    body: new URLSearchParams(fields).toString(),
  }
}
