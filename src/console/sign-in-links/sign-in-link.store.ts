import type { AdminRole } from '../../http/access/access.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { KeyHolder } from '../key-holder.rules.ts'
import { keyIsAlive } from '../key-holder.store.ts'
import type { SignInLink } from './sign-in-link.rules.ts'

const columns = sql`id, role, admin_key_id as "keyId", created_at as "createdAt", expires_at as "expiresAt", used_at as "usedAt"`

export type NewSignInLink = Omit<SignInLink, 'keyId' | 'usedAt'> & KeyHolder & { tokenHash: Buffer }

export async function addSignInLink(tx: PlatformScope, link: NewSignInLink): Promise<void> {
  const { id, tokenHash, role, adminKeyId, keyFingerprint, createdAt, expiresAt } = link
  await run(
    tx,
    sql`insert into sign_in_links (id, token_hash, role, admin_key_id, key_fingerprint, created_at, expires_at)
      values (${id}, ${tokenHash}, ${role}, ${adminKeyId}, ${keyFingerprint}, ${createdAt}, ${expiresAt})`,
  )
}

export function listSignInLinks(platform: PlatformScope, page: PageRequest): Promise<Page<SignInLink>> {
  return listPage<SignInLink>(platform, page, {
    columns,
    from: sql`from sign_in_links`,
    orderBy: sql`created_at desc, id desc`,
  })
}

export type ConsumedLink = KeyHolder & { id: string; role: AdminRole; keyName: string }

/** Uses a link up; null if it is unknown, used or expired, or its admin key is not valid any more. Of many at once one succeeds. */
export function consumeSignInLink(
  tx: PlatformScope,
  tokenHash: Buffer,
  { now, fingerprint }: { now: Date; fingerprint: Buffer },
): Promise<ConsumedLink | null> {
  return maybeOne(
    tx,
    sql<ConsumedLink>`update sign_in_links l set used_at = ${now}
      from sign_in_links s left join admin_keys k on k.id = s.admin_key_id
      where l.token_hash = ${tokenHash} and l.used_at is null and l.expires_at > ${now}
        and s.id = l.id and ${keyIsAlive(fingerprint, now)}
      returning l.id, l.role, l.admin_key_id as "adminKeyId", l.key_fingerprint as "keyFingerprint",
        coalesce(k.name, 'admin key') as "keyName"`,
  )
}

/** Returns the removed link; null if there is none. */
export function removeSignInLink(tx: PlatformScope, id: string): Promise<SignInLink | null> {
  return maybeOne(tx, sql<SignInLink>`delete from sign_in_links where id = ${id} returning ${columns}`)
}

export async function deleteOldSignInLinks(platform: PlatformScope, before: Date): Promise<void> {
  await run(platform, sql`delete from sign_in_links where expires_at < ${before}`)
}
