import type { AdminRole } from '../../http/access/access.ts'
import { secretToken } from '../../kernel/secret-token.ts'

/** The token of a link. It stands behind `#`, so that no server or proxy on the way sees or logs it. */
export const linkToken = secretToken('atrlink_')

export const linkStatuses = ['WAITING', 'USED', 'EXPIRED'] as const
export type LinkStatus = (typeof linkStatuses)[number]

export type SignInLink = {
  id: string
  role: AdminRole
  /** Null for the key of the environment. */
  keyId: string | null
  createdAt: Date
  expiresAt: Date
  usedAt: Date | null
}

export function linkStatus({ usedAt, expiresAt }: Pick<SignInLink, 'usedAt' | 'expiresAt'>, now: Date): LinkStatus {
  if (usedAt !== null) return 'USED'
  return expiresAt <= now ? 'EXPIRED' : 'WAITING'
}

/** @param origin scheme and host of the service as the caller sees it. */
export function linkUrl(origin: string, token: string): string {
  return `${origin}/console#link=${token}`
}
