import { one, run, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'

/** Returns the day's salt: the given one, unless another node stored one first. */
export async function agreeOnSalt(
  platform: PlatformScope,
  { day, salt, now }: { day: string; salt: Buffer; now: Date },
): Promise<Buffer> {
  await run(
    platform,
    sql`insert into analytics_salts (day, salt, created_at) values (${day}, ${salt}, ${now}) on conflict (day) do nothing`,
  )
  const agreed = await one(platform, sql<{ salt: Buffer }>`select salt from analytics_salts where day = ${day}`)
  return agreed.salt
}

export async function dropSalts(platform: PlatformScope, before: Date): Promise<void> {
  await run(platform, sql`delete from analytics_salts where created_at <= ${before}`)
}
