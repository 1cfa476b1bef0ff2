import type { OauthBehaviour, TokenAnswer } from './grant.ts'

/** What most providers share: RFC 6749 with scopes, an expiring access token and a refresh token that is replaced. */
export const ordinary = {
  clientAuthentication: 'client_secret_post',
  pkce: 'optional',
  codeSeconds: 600,
  accessSeconds: 3600,
  refreshSeconds: 90 * 86_400,
  rotation: 'replaced',
  graceSeconds: 0,
  reuseEndsGrant: true,
  scopeSeparator: ' ',
  hasScopes: true,
  isOffline: () => true,
} as const satisfies Partial<OauthBehaviour>

export function isError(answer: TokenAnswer): boolean {
  return answer.body['error'] !== undefined
}

/** The answer without the members that this provider does not send. */
export function without(answer: TokenAnswer, ...names: string[]): TokenAnswer {
  const entries = Object.entries(answer.body).filter(([name]) => !names.includes(name))
  return { ...answer, body: Object.fromEntries(entries) }
}

export function withMembers(answer: TokenAnswer, members: Record<string, unknown>): TokenAnswer {
  return { ...answer, body: { ...answer.body, ...members } }
}
