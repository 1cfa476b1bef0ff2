import { randomBytes } from 'node:crypto'
import type { TenantScope } from '../../storage/scope.ts'
import type { User } from '../users/user.rules.ts'
import { hashAccountToken, newAccountToken, type TokenPurpose, tokenExpiry } from './account-token.rules.ts'
import { deleteAccountTokens, replaceAccountToken } from './account-token.store.ts'

type AccountMail = { user: { id: string; email: string }; kind: TokenPurpose; now: Date }

/** Mails that wait to be sent. */
export type Outbox = {
  /** Whether the user may get another mail of this kind. Call it once per mail: true counts against the limit. */
  reserve(tx: TenantScope, mail: AccountMail): Promise<boolean>
  /** Replaces the user's unsent mails of the same kind. */
  add(tx: TenantScope, mail: AccountMail & { token: string; expiresAt: Date }): Promise<void>
  /** Discards the user's unsent mails; null means of every kind. */
  discard(tx: TenantScope, which: { userId: string; kind: TokenPurpose | null }): Promise<void>
}

export type AccountMails = ReturnType<typeof accountMails>

/** Mails that contain a token. The user must be locked or created in the same transaction. */
export function accountMails(outbox: Outbox) {
  /** False if the user got too many mails lately. The previous token then stays valid. */
  async function send(
    tx: TenantScope,
    { user, purpose, now }: { user: User; purpose: TokenPurpose; now: Date },
  ): Promise<boolean> {
    if (!(await outbox.reserve(tx, { user, kind: purpose, now }))) return false
    const token = newAccountToken(purpose, randomBytes)
    const tokenHash = hashAccountToken(purpose, token)
    if (tokenHash === null) throw new Error('A new account token has an invalid format.')
    const expiresAt = tokenExpiry(purpose, now)
    await replaceAccountToken(tx, { userId: user.id, purpose, tokenHash, createdAt: now, expiresAt })
    await outbox.add(tx, { user, kind: purpose, token, expiresAt, now })
    return true
  }

  /** Revokes the user's tokens and discards the mails with them that are not sent yet. Null means every purpose. */
  async function revoke(
    tx: TenantScope,
    { userId, purpose }: { userId: string; purpose: TokenPurpose | null },
  ): Promise<void> {
    await deleteAccountTokens(tx, { userId, purpose })
    await outbox.discard(tx, { userId, kind: purpose })
  }

  return { send, revoke }
}
