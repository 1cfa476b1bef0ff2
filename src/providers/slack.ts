import { fieldAt, isRecord, textAt } from './answer-fields.ts'
import { bearerRequest, ordinary, type ProviderAnswer, type ProviderRow } from './provider.ts'

export const slackApi = 'https://slack.com/api'

/** With these the token itself is refused, and not only the call. */
const refusedTokenWords = ['invalid_auth', 'not_authed', 'token_revoked', 'token_expired', 'account_inactive']

export const slack: ProviderRow = {
  ...ordinary,
  name: 'slack',
  title: 'Slack',
  facts: {
    checkedOn: '2026-11-23',
    sources: [
      'https://docs.slack.dev/authentication/installing-with-oauth',
      'https://docs.slack.dev/authentication/using-token-rotation',
      'https://docs.slack.dev/messaging/message-metadata',
    ],
  },
  authorize: {
    url: 'https://slack.com/oauth/v2/authorize',
    params: {},
    scopeParam: 'scope',
    scopeSeparator: ',',
    // Switching PKCE on makes the app a public client for good.
    pkce: null,
  },
  token: {
    url: `${slackApi}/oauth.v2.access`,
    clientAuthentication: 'body',
    bodyType: 'form',
    headers: {},
    // An app with token rotation has tokens of 12 hours; others have one that never ends, and no refresh token.
    rotation: 'answer',
    hasGrace: false,
  },
  deadGrantWords: ['invalid_refresh_token', 'token_revoked', 'account_inactive'],
  scopes: {
    base: [],
    features: {
      // The histories show whether a message arrived whose answer was lost.
      post: ['chat:write', 'channels:history', 'groups:history'],
      answer: [
        'chat:write',
        'app_mentions:read',
        'channels:history',
        'groups:history',
        'im:history',
        'users:read',
        'users:read.email',
      ],
    },
  },
  apiHosts: ['slack.com'],
  identity: {
    request: (accessToken) => ({ ...bearerRequest(accessToken, 'https://slack.com/api/auth.test'), method: 'POST' }),
    read: (answer) => {
      const id = textAt(answer, 'team_id')
      return id === null ? null : { account: { id, name: textAt(answer, 'team') ?? id } }
    },
  },
  revoke: (_client, { accessToken }) => ({
    ...bearerRequest(accessToken, `${slackApi}/auth.revoke`),
    method: 'POST',
  }),
  isRevokedByAccessToken: true,
  toTokenAnswer: (answer) => {
    const { status, body } = toFailure(answer, () => 400)
    if (status >= 400 || !isRecord(body)) return { status, body }
    return { status, body: { ...body, token_type: 'bearer', scope: String(body.scope ?? '').replaceAll(',', ' ') } }
  },
  toApiAnswer: (answer) => toFailure(answer, errorStatus),
}

/** Errors are 200 with `ok: false`. */
function toFailure(answer: ProviderAnswer, statusOf: (word: string) => number): ProviderAnswer {
  const { status, body } = answer
  if (status !== 200 || fieldAt(body, 'ok') !== false) return answer
  return { status: statusOf(textAt(body, 'error') ?? ''), body }
}

function errorStatus(word: string): number {
  if (refusedTokenWords.includes(word)) return 401
  if (word === 'missing_scope') return 403
  if (word === 'ratelimited') return 429
  return ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'].includes(word) ? 503 : 400
}
