import { type Sql, sql } from '../storage/query.ts'

/**
 * Whether the admin key that a row depends on is still valid, for rows `s` of sessions or links, joined with their named key `k`.
 * @param fingerprint of the key of the environment, as it is now.
 */
export function keyIsAlive(fingerprint: Buffer, now: Date): Sql {
  return sql`(s.key_fingerprint = ${fingerprint}
    or (k.id is not null and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})))`
}
