import type * as OAuth from 'oauth4webapi'
import { once } from '../kernel/once.ts'
import { fieldAt, isRecord } from './answer-fields.ts'
import { type AppSettings, tokenUrl } from './app-settings.ts'
import type { ClientCredentials, ProviderRow } from './provider.ts'
import { type AskProvider, ProviderUnreachable } from './provider-http.ts'

/** `expiresIn`: seconds; null: unknown. `scopes`: null where the answer names none. */
export type IssuedTokens = {
  accessToken: string
  refreshToken: string | null
  expiresIn: number | null
  scopes: string[] | null
}

/**
 * `dead`: the provider's words say that the grant is over. `refused`: it refuses for another reason, such as our own secret.
 * `unavailable`: no answer, or none that means anything.
 */
export type TokenOutcome =
  | { kind: 'issued'; tokens: IssuedTokens }
  | { kind: 'dead'; word: string }
  | { kind: 'refused'; word: string }
  | { kind: 'unavailable' }

/** Our registration at the provider. */
type RegisteredClient = ClientCredentials & { settings: AppSettings }
export type CodeGrant = { code: string; verifier: string | null; redirectUri: string }
export type TokenClient = ReturnType<typeof tokenClient>

// Loaded with the first token.
const library = once(() => import('oauth4webapi'))
const timeoutMs = 10_000

/** The token endpoints of the providers, by RFC 6749 and 7636. */
export function tokenClient(ask: AskProvider) {
  async function exchange(row: ProviderRow, app: RegisteredClient, { code, verifier, redirectUri }: CodeGrant) {
    const oauth = await library()
    const { server, client, authentication, options } = parties(oauth, row, app)
    const state = 'checked-before'
    const answer = oauth.validateAuthResponse(server, client, new URLSearchParams({ code, state }), state)
    return outcome(oauth, row, async () =>
      oauth.processAuthorizationCodeResponse(
        server,
        client,
        await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authentication,
          answer,
          redirectUri,
          verifier ?? oauth.nopkce,
          options,
        ),
      ),
    )
  }

  /** @param scopes of another API of the provider. Absent: what the grant is for. */
  async function refresh(
    row: ProviderRow,
    app: RegisteredClient,
    { refreshToken, scopes }: { refreshToken: string; scopes?: readonly string[] },
  ): Promise<TokenOutcome> {
    const oauth = await library()
    const { server, client, authentication, options } = parties(oauth, row, app)
    const asked = scopes === undefined ? {} : { additionalParameters: { scope: scopes.join(' ') } }
    return outcome(oauth, row, async () =>
      oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, { ...options, ...asked }),
      ),
    )
  }

  function parties(oauth: typeof OAuth, row: ProviderRow, app: RegisteredClient) {
    const { clientId, clientSecret } = app
    const authentication =
      row.token.clientAuthentication === 'basic'
        ? oauth.ClientSecretBasic(clientSecret)
        : oauth.ClientSecretPost(clientSecret)
    return {
      server: { issuer: new URL(row.token.url).origin, token_endpoint: tokenUrl(row, app.settings) },
      client: { client_id: clientId },
      authentication,
      options: { [oauth.customFetch]: rowFetch(ask, row) },
    }
  }

  return { exchange, refresh }
}

/** Sends a token request as the row has it, and returns its answer as RFC 6749 has it. */
function rowFetch(ask: AskProvider, row: ProviderRow) {
  return async (url: string, { body, headers }: { body: unknown; headers: Record<string, string> }) => {
    const fields = body as URLSearchParams
    const isJson = row.token.bodyType === 'json'
    const request = {
      method: 'POST' as const,
      url,
      headers: {
        ...headers,
        ...row.token.headers,
        'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded',
      },
      body: isJson ? JSON.stringify(Object.fromEntries(fields)) : fields.toString(),
    }
    const answer = row.toTokenAnswer(await ask(row.name, request, { timeoutMs }))
    const ordinary = isRecord(answer.body) ? { ...answer.body } : {}
    // Who the account is says the API; an ID token may be opaque, or of an issuer that varies.
    delete ordinary['id_token']
    // RFC 6749 has 400 (or 401) for all errors.
    const status = answer.status >= 400 && answer.status < 500 ? 400 : answer.status
    return Response.json(ordinary, { status })
  }
}

async function outcome(
  oauth: typeof OAuth,
  row: ProviderRow,
  request: () => Promise<OAuth.TokenEndpointResponse>,
): Promise<TokenOutcome> {
  try {
    const { access_token, refresh_token, expires_in, scope } = await request()
    return {
      kind: 'issued',
      tokens: {
        accessToken: access_token,
        refreshToken: refresh_token ?? null,
        expiresIn: expires_in ?? null,
        scopes: scope === undefined ? null : scope.split(' ').filter((it) => it !== ''),
      },
    }
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError) {
      const word = String(fieldAt(error.cause, 'error') ?? error.error)
      return { kind: row.deadGrantWords.includes(word) ? 'dead' : 'refused', word: word.slice(0, 100) }
    }
    if (error instanceof ProviderUnreachable || error instanceof oauth.OperationProcessingError)
      return { kind: 'unavailable' }
    throw error
  }
}
