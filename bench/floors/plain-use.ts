import type pg from 'pg'
import type { Standing } from './answer.ts'

const text = `update licenses l set uses_count = uses_count + 1, last_used_at = $3
  where l.key_hash = $1 and l.tenant_id = $2 and l.revoked_at is null and (l.expires_at is null or l.expires_at > $3)
    and (l.max_uses is null or l.uses_count < l.max_uses)
  returning l.product, l.plan, l.max_uses as "maxUses", l.uses_count as "usesCount", l.expires_at as "expiresAt",
    l.revoked_at as "revokedAt"`

/** Takes a use as plainly as it can be taken: one named statement, committed by itself. Null where none is left. */
export async function plainUse(
  pool: pg.Pool,
  { tenantId, licenseKeyHash }: { tenantId: string; licenseKeyHash: Buffer },
): Promise<Omit<Standing, 'products'> | null> {
  const values = [licenseKeyHash, tenantId, new Date()]
  const { rows } = await pool.query<Omit<Standing, 'products'>>({ name: 'use', text, values })
  return rows[0] ?? null
}
