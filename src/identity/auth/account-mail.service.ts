import { randomBytes } from 'node:crypto'
import type { TenantScope } from '../../storage/scope.ts'
import type { User } from '../users/user.rules.ts'
import { hashAccountToken, newAccountToken, type TokenPurpose, tokenExpiry } from './account-token.rules.ts'
import { deleteAccountTokens, replaceAccountToken } from './account-token.store.ts'

type AccountMail = { user: { id: string; email: string }; kind: TokenPurpose; now: Date }

/** Where mails wait until they are sent. */
export type Outbox = {
  /** Whether the user may get another mail of the kind. Asked once a mail, because a yes counts. */
  reserve(tx: TenantScope, letter: AccountMail): Promise<boolean>
  /** Replaces the mails of the kind that the user was still to get. */
  add(tx: TenantScope, letter: AccountMail & { token: string; expiresAt: Date }): Promise<void>
  /** Gives up the user's mails that are not sent yet; null: of every kind. */
  discard(tx: TenantScope, of: { userId: string; kind: TokenPurpose | null }): Promise<void>
}

export type AccountMails = ReturnType<typeof accountMails>

/** Mails with a token in them, to users who are locked (or new) in the same transaction. */
export function accountMails(outbox: Outbox) {
  /** False where the user has been written to often enough for now: the token sent before goes on working. */
  async function send(
    tx: TenantScope,
    { user, purpose, now }: { user: User; purpose: TokenPurpose; now: Date },
  ): Promise<boolean> {
    if (!(await outbox.reserve(tx, { user, kind: purpose, now }))) return false
    const token = newAccountToken(purpose, randomBytes)
    const tokenHash = hashAccountToken(purpose, token)
    if (tokenHash === null) throw new Error('A token of our own making has not the form of one.')
    const expiresAt = tokenExpiry(purpose, now)
    await replaceAccountToken(tx, { userId: user.id, purpose, tokenHash, createdAt: now, expiresAt })
    await outbox.add(tx, { user, kind: purpose, token, expiresAt, now })
    return true
  }

  /** Ends the tokens that the user was sent, and keeps those from being sent that still wait. Null: of every purpose. */
  async function end(
    tx: TenantScope,
    { userId, purpose }: { userId: string; purpose: TokenPurpose | null },
  ): Promise<void> {
    await deleteAccountTokens(tx, { userId, purpose })
    await outbox.discard(tx, { userId, kind: purpose })
  }

  return { send, end }
}
