import { many, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'

/** Which events about the end of a license were sent; stored in `term_told`. */
export const termStages = { nothing: 0, ending: 1, ended: 2 } as const

export type TermEnd = { tenantId: string; licenseId: string; expiresAt: Date; isOver: boolean }

/** Finds licenses at stage `told` that expire by `until`, and sets the stage that holds at `now`. */
export function takeTermEnds(
  tx: PlatformScope,
  { told, until, now, limit }: { told: number; until: Date; now: Date; limit: number },
): Promise<TermEnd[]> {
  const { ending, ended } = termStages
  return many(
    tx,
    sql<TermEnd>`update licenses set term_told = case when expires_at <= ${now} then ${ended}::smallint else ${ending}::smallint end
      where (tenant_id, id) in (
        select tenant_id, id from licenses
        where term_told = ${told} and term_told < 2 and expires_at <= ${until} and revoked_at is null
        order by expires_at limit ${limit} for update skip locked)
      returning tenant_id as "tenantId", id as "licenseId", expires_at as "expiresAt", term_told = ${ended} as "isOver"`,
  )
}
