import type { IssuedTokens } from '../../providers/token-client.ts'
import type { GrantSecrets } from '../sealed-grants.ts'
import type { TokenRow } from './token.store.ts'

const beforeEndMsMax = 10 * 60_000

/** From ten minutes before the end on, or in the second half of a life that is shorter than twenty. */
export function isRefreshDue({ issuedAt, expiresAt }: Pick<TokenRow, 'issuedAt' | 'expiresAt'>, now: Date): boolean {
  if (expiresAt === null) return false
  const lifeMs = issuedAt === null ? Number.POSITIVE_INFINITY : expiresAt.getTime() - issuedAt.getTime()
  const beforeEndMs = Math.min(beforeEndMsMax, lifeMs / 2)
  return now.getTime() >= expiresAt.getTime() - beforeEndMs
}

/** The columns of new tokens. A refresh token that is missing leaves the earlier one as it is. */
export function sealedTokens(
  secrets: GrantSecrets,
  row: { tenantId: string; id: string },
  { tokens, now }: { tokens: IssuedTokens; now: Date },
) {
  const { accessToken, refreshToken, expiresIn } = tokens
  return {
    accessSealed: secrets.sealToken(accessToken, 'access_sealed', row),
    refreshSealed: refreshToken === null ? null : secrets.sealToken(refreshToken, 'refresh_sealed', row),
    expiresAt: expiresIn === null ? null : new Date(now.getTime() + expiresIn * 1000),
  }
}
