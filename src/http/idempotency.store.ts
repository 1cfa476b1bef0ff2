import { maybe, run, sql } from '../storage/query.ts'
import type { PlatformScope } from '../storage/scope.ts'

export type StoredAnswer = { fingerprint: Buffer; answerSealed: Buffer }

/** False when another transaction is busy with the same request; held until this transaction ends. */
export async function lockRequest(tx: PlatformScope, id: Buffer): Promise<boolean> {
  const lock = id.readBigInt64BE(0).toString()
  return (
    (await maybe(tx, sql<{ held: boolean }>`select pg_try_advisory_xact_lock(${lock}::bigint) as held`))?.held === true
  )
}

export function findAnswer(tx: PlatformScope, id: Buffer, now: Date): Promise<StoredAnswer | null> {
  return maybe(
    tx,
    sql<StoredAnswer>`select fingerprint, answer_sealed as "answerSealed" from idempotency_keys where id = ${id} and expires_at > ${now}`,
  )
}

export async function keepAnswer(
  tx: PlatformScope,
  answer: StoredAnswer & { id: Buffer; status: number; expiresAt: Date },
): Promise<void> {
  const { id, fingerprint, status, answerSealed, expiresAt } = answer
  // An expired answer under the same key may still lie there.
  await run(
    tx,
    sql`insert into idempotency_keys (id, fingerprint, status, answer_sealed, expires_at)
      values (${id}, ${fingerprint}, ${status}, ${answerSealed}, ${expiresAt})
      on conflict (id) do update set fingerprint = excluded.fingerprint, status = excluded.status,
        answer_sealed = excluded.answer_sealed, expires_at = excluded.expires_at`,
  )
}

export function dropExpiredAnswers(platform: PlatformScope, now: Date): Promise<number> {
  return run(platform, sql`delete from idempotency_keys where expires_at <= ${now}`)
}
