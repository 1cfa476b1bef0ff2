import { maybeOne, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { User } from '../users/user.rules.ts'
import { userColumns } from '../users/user.store.ts'
import type { TokenPurpose } from './account-token.rules.ts'

type NewToken = { userId: string; purpose: TokenPurpose; tokenHash: Buffer; createdAt: Date; expiresAt: Date }

/** Stores a token. It replaces the user's token of the same purpose. */
export async function replaceAccountToken(tx: TenantScope, token: NewToken): Promise<void> {
  const { userId, purpose, tokenHash, createdAt, expiresAt } = token
  await run(
    tx,
    sql`insert into account_tokens (tenant_id, user_id, purpose, token_hash, created_at, expires_at)
      values (${tx.tenantId}, ${userId}, ${purpose}, ${tokenHash}, ${createdAt}, ${expiresAt})
      on conflict (tenant_id, user_id, purpose) do update set token_hash = excluded.token_hash,
        created_at = excluded.created_at, expires_at = excluded.expires_at`,
  )
}

type TokenLookup = { purpose: TokenPurpose; tokenHash: Buffer; now: Date }

/** The user of a valid token; null if the token is not valid or the user is suspended. Does not consume the token. */
export function findTokenOwner(scope: TenantScope, { purpose, tokenHash, now }: TokenLookup): Promise<User | null> {
  return maybeOne(
    scope,
    sql<User>`select ${userColumns} from account_tokens a
        join users u on u.tenant_id = a.tenant_id and u.id = a.user_id and u.status = 'ACTIVE'
      where a.token_hash = ${tokenHash} and a.tenant_id = ${scope.tenantId} and a.purpose = ${purpose}
        and a.expires_at > ${now}`,
  )
}

/** Consumes a token; false if it is no longer valid. Of several parallel calls only one gets true. */
export async function consumeAccountToken(tx: TenantScope, { purpose, tokenHash, now }: TokenLookup): Promise<boolean> {
  const taken = await run(
    tx,
    sql`delete from account_tokens where token_hash = ${tokenHash} and tenant_id = ${tx.tenantId}
      and purpose = ${purpose} and expires_at > ${now}`,
  )
  return taken === 1
}

/** Deletes the user's tokens of a purpose; null means every purpose. */
export async function deleteAccountTokens(
  tx: TenantScope,
  { userId, purpose }: { userId: string; purpose: TokenPurpose | null },
): Promise<void> {
  await run(
    tx,
    sql`delete from account_tokens where tenant_id = ${tx.tenantId} and user_id = ${userId}
      and (${purpose}::text is null or purpose = ${purpose})`,
  )
}
