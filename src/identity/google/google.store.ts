import { Refusal } from '../../kernel/refusal.ts'
import { maybeOne, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { violates } from '../../storage/sql-error.ts'
import type { User } from '../users/user.rules.ts'
import { userColumns } from '../users/user.store.ts'
import type { GoogleIdentity } from './google-token.rules.ts'

export function findUserBySubject(scope: TenantScope, subject: string): Promise<User | null> {
  return maybeOne(
    scope,
    sql<User>`select ${userColumns} from users u where u.tenant_id = ${scope.tenantId} and u.google_id = ${subject}`,
  )
}

/** Null if there is no such user or it is suspended. */
export function recordGoogleLogin(tx: TenantScope, subject: string, now: Date): Promise<User | null> {
  return maybeOne(
    tx,
    sql<User>`update users u set last_login_at = ${now}
      where u.tenant_id = ${tx.tenantId} and u.google_id = ${subject} and u.status = 'ACTIVE'
      returning ${userColumns}`,
  )
}

/** Null if the address or the Google account already has a user. The unique indexes decide between parallel calls. */
export function addGoogleUser(
  tx: TenantScope,
  { id, identity, now }: { id: string; identity: GoogleIdentity; now: Date },
): Promise<User | null> {
  const { subject, email, name } = identity
  return maybeOne(
    tx,
    sql<User>`insert into users as u (tenant_id, id, email, name, role, status, google_id, email_verified, created_at, updated_at)
      values (${tx.tenantId}, ${id}, ${email}, ${name}, 'USER', 'ACTIVE', ${subject}, true, ${now}, ${now})
      on conflict do nothing
      returning ${userColumns}`,
  )
}

/**
 * Links and logs in the user who has verified the address. Null if the address is not verified, or the user is linked
 * already or suspended. The statement itself checks this, because a parallel change makes the address unverified.
 */
export function linkByVerifiedEmail(
  tx: TenantScope,
  { subject, email }: GoogleIdentity,
  now: Date,
): Promise<User | null> {
  return maybeOne(
    tx,
    sql<User>`update users u set google_id = ${subject}, last_login_at = ${now}, updated_at = ${now}
      where u.tenant_id = ${tx.tenantId} and u.email = ${email} and u.email_verified and u.google_id is null and u.status = 'ACTIVE'
      returning ${userColumns}`,
  )
}

type CheckedUser = { id: string; checkedHash: string | null; now: Date }

/**
 * Null if the user is linked to another Google account, has not verified its address, or was removed or given another
 * password after the password check. A Google account with the same address verifies it. Any other is refused: somebody
 * who registered with a stranger's address could otherwise still log in after the stranger took over the account.
 * Refuses STATE_CONFLICT if another user of the tenant is linked to this Google account.
 */
export async function linkUser(
  tx: TenantScope,
  { id, checkedHash, now }: CheckedUser,
  { subject, email }: GoogleIdentity,
): Promise<User | null> {
  try {
    return await maybeOne(
      tx,
      sql<User>`update users u set google_id = ${subject}, email_verified = u.email_verified or u.email = ${email}, updated_at = ${now}
        where u.tenant_id = ${tx.tenantId} and u.id = ${id} and u.password_hash = ${checkedHash}
          and (u.google_id = ${subject} or (u.google_id is null and (u.email_verified or u.email = ${email})))
        returning ${userColumns}`,
    )
  } catch (error) {
    if (violates(error, 'users_google'))
      throw new Refusal('STATE_CONFLICT', { detail: 'Another user is linked to this Google account.' })
    throw error
  }
}

/** Null if the user is not linked, or was removed or given another password after the password check. */
export function unlinkUser(tx: TenantScope, { id, checkedHash, now }: CheckedUser): Promise<User | null> {
  return maybeOne(
    tx,
    sql<User>`update users u set google_id = null, updated_at = ${now}
      where u.tenant_id = ${tx.tenantId} and u.id = ${id} and u.password_hash = ${checkedHash} and u.google_id is not null
      returning ${userColumns}`,
  )
}
