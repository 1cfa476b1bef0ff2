import { type Page, type PageRequest, pageOffset } from '../../kernel/paging.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { many, maybeOne, one, run, sql } from '../../storage/query.ts'
import { rowCount, rowCountExceptTenants, rowCountOfTenants } from '../../storage/row-counts.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import { violates } from '../../storage/sql-error.ts'
import type { EmailFilter, User } from './user.rules.ts'

/** The columns of a `User`; the table's alias must be `u`. */
export const userColumns = sql`u.id, u.tenant_id as "tenantId", u.email, u.name, u.role, u.status,
  u.email_verified as "emailVerified", u.google_id is not null as "googleLinked", u.last_login_at as "lastLoginAt",
  u.created_at as "createdAt"`

/** A user with the password hash, which must not leave store and service. */
export type Account = { user: User; passwordHash: string | null }

type NewUser = { id: string; email: string; name: string | null; passwordHash: string; createdAt: Date }

/** Null if the tenant already has a user with the address. The unique index decides between parallel calls. */
export function addUser(tx: TenantScope, user: NewUser): Promise<User | null> {
  const { id, email, name, passwordHash, createdAt } = user
  return maybeOne(
    tx,
    sql<User>`insert into users as u (tenant_id, id, email, name, role, status, password_hash, created_at, updated_at)
      values (${tx.tenantId}, ${id}, ${email}, ${name}, 'USER', 'ACTIVE', ${passwordHash}, ${createdAt}, ${createdAt})
      on conflict (tenant_id, email) do nothing
      returning ${userColumns}`,
  )
}

export function countUsers(tx: TenantScope): Promise<number> {
  return rowCount(tx, 'users', tx.tenantId)
}

export function findUser(scope: TenantScope, id: string): Promise<User | null> {
  return maybeOne(
    scope,
    sql<User>`select ${userColumns} from users u where u.tenant_id = ${scope.tenantId} and u.id = ${id}`,
  )
}

/** The user, locked until the transaction ends. */
export function lockUser(tx: TenantScope, id: string): Promise<User | null> {
  return maybeOne(
    tx,
    sql<User>`select ${userColumns} from users u where u.tenant_id = ${tx.tenantId} and u.id = ${id} for no key update`,
  )
}

/** The active user with this address, in its stored form, if it is verified. */
export async function findVerifiedUser(scope: TenantScope, email: string): Promise<string | null> {
  const found = await maybeOne(
    scope,
    sql<{ id: string }>`select id from users where tenant_id = ${scope.tenantId} and email = ${email}
      and status = 'ACTIVE' and email_verified`,
  )
  return found?.id ?? null
}

/** The administrators of the tenant who can be written to: active, with a verified address. */
export function listReachableAdmins(scope: TenantScope): Promise<{ id: string; email: string }[]> {
  return many(
    scope,
    sql<{ id: string; email: string }>`select id, email from users
      where tenant_id = ${scope.tenantId} and role = 'ADMIN' and status = 'ACTIVE' and email_verified order by id`,
  )
}

export async function findAccount(scope: TenantScope, email: string): Promise<Account | null> {
  const row = await maybeOne(
    scope,
    sql<User & { passwordHash: string | null }>`select ${userColumns}, u.password_hash as "passwordHash"
      from users u where u.tenant_id = ${scope.tenantId} and u.email = ${email}`,
  )
  if (row === null) return null
  const { passwordHash, ...user } = row
  return { user, passwordHash }
}

type Login = { id: string; checkedHash: string | null; passwordHash: string | null; now: Date }

/** Null if the user was suspended, removed or given another password after the password check. */
export function recordLogin(tx: TenantScope, { id, checkedHash, passwordHash, now }: Login): Promise<User | null> {
  return maybeOne(
    tx,
    sql<User>`update users u set last_login_at = ${now}, password_hash = ${passwordHash}
      where u.tenant_id = ${tx.tenantId} and u.id = ${id} and u.status = 'ACTIVE' and u.password_hash = ${checkedHash}
      returning ${userColumns}`,
  )
}

type NewPassword = { id: string; checkedHash: string | null; passwordHash: string; now: Date }

/** Null if the user was removed or given another password after the password check. */
export function setPassword(
  tx: TenantScope,
  { id, checkedHash, passwordHash, now }: NewPassword,
): Promise<User | null> {
  return maybeOne(
    tx,
    sql<User>`update users u set password_hash = ${passwordHash}, updated_at = ${now}
      where u.tenant_id = ${tx.tenantId} and u.id = ${id} and u.password_hash = ${checkedHash}
      returning ${userColumns}`,
  )
}

type ResetPassword = { id: string; passwordHash: string; now: Date }

/**
 * For a locked user who has just proved to own the mailbox. Unlinks a Google account, because somebody else may have
 * linked it before the owner of the mailbox took over the account. If the owner's Google account has the same address, it
 * is linked again at the next sign-in.
 */
export function resetPassword(tx: TenantScope, { id, passwordHash, now }: ResetPassword): Promise<User> {
  return one(
    tx,
    sql<User>`update users u set password_hash = ${passwordHash}, google_id = null, email_verified = true, updated_at = ${now}
      where u.tenant_id = ${tx.tenantId} and u.id = ${id} returning ${userColumns}`,
  )
}

export async function markVerified(tx: TenantScope, id: string, now: Date): Promise<void> {
  await run(
    tx,
    sql`update users set email_verified = true, updated_at = ${now} where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

/** Saves the changeable members of a locked user. Refuses EMAIL_TAKEN. */
export async function saveUser(tx: TenantScope, user: User, now: Date): Promise<void> {
  const { id, name, email, emailVerified, role, status } = user
  try {
    await run(
      tx,
      sql`update users set name = ${name}, email = ${email}, email_verified = ${emailVerified}, role = ${role},
          status = ${status}, updated_at = ${now}
        where tenant_id = ${tx.tenantId} and id = ${id}`,
    )
  } catch (error) {
    if (violates(error, 'users_email')) throw new Refusal('EMAIL_TAKEN')
    throw error
  }
}

/** Deletes the user with its sessions and refresh tokens. */
export async function deleteUser(tx: TenantScope, id: string): Promise<void> {
  await run(tx, sql`delete from users where tenant_id = ${tx.tenantId} and id = ${id}`)
}

/** A user of any tenant that is not deleted. */
export function findUserInAnyTenant(platform: PlatformScope, id: string): Promise<User | null> {
  return maybeOne(
    platform,
    sql<User>`select ${userColumns} from users u join tenants t on t.id = u.tenant_id and t.deleted_at is null
      where u.id = ${id}`,
  )
}

export type UserSearch = PageRequest & { tenantId: string | null; email: EmailFilter | null }

const deletedTenants = sql`select id from tenants where deleted_at is not null`

/** The number of users of one tenant, or of all tenants, without deleted tenants. */
function countListed(platform: PlatformScope, tenantId: string | null): Promise<number> {
  if (tenantId === null) return rowCountExceptTenants(platform, 'users', deletedTenants)
  return rowCountOfTenants(platform, 'users', sql`select id from tenants where id = ${tenantId} and deleted_at is null`)
}

/** Users of all tenants that are not deleted, newest first. */
export async function listUsers(platform: PlatformScope, search: UserSearch): Promise<Page<User>> {
  const { tenantId, email, limit } = search
  const conditions = [
    sql`u.tenant_id not in (${deletedTenants})`,
    ...(tenantId === null ? [] : [sql`u.tenant_id = ${tenantId}`]),
    ...(email === null ? [] : [emailCondition(email)]),
  ]
  const matching = sql`from users u where ${sql.join(conditions, sql` and `)}`
  const items = await many(
    platform,
    sql<User>`select ${userColumns} from users u where (u.tenant_id, u.id) in (
        select u.tenant_id, u.id ${matching} order by u.created_at desc, u.id desc limit ${limit} offset ${pageOffset(search)})
      order by u.created_at desc, u.id desc`,
  )
  if (email === null) return { items, total: await countListed(platform, tenantId) }
  const { total } = await one(platform, sql<{ total: number }>`select count(*)::int as total ${matching}`)
  return { items, total }
}

function emailCondition({ kind, text }: EmailFilter) {
  if (kind === 'exact') return sql`u.email = ${text}`
  return sql`u.email like ${`${text.replace(/[\\%_]/g, '\\$&')}%`}`
}
