import { maybeOne, run, sql } from '../storage/query.ts'
import type { PlatformScope, Scope } from '../storage/scope.ts'

/** `answerSealed` is null after its object was erased. */
export type StoredAnswer = { fingerprint: Buffer; answerSealed: Buffer | null }

/** Locks the request until the transaction ends. False if another transaction is processing it. */
export async function lockRequest(tx: PlatformScope, id: Buffer): Promise<boolean> {
  const lock = id.readBigInt64BE(0).toString()
  return (
    (await maybeOne(tx, sql<{ held: boolean }>`select pg_try_advisory_xact_lock(${lock}::bigint) as held`))?.held ===
    true
  )
}

export function findAnswer(tx: PlatformScope, id: Buffer, now: Date): Promise<StoredAnswer | null> {
  return maybeOne(
    tx,
    sql<StoredAnswer>`select fingerprint, answer_sealed as "answerSealed" from idempotency_keys where id = ${id} and expires_at > ${now}`,
  )
}

export async function storeAnswer(
  tx: PlatformScope,
  answer: StoredAnswer & {
    id: Buffer
    status: number
    expiresAt: Date
    aboutId: string | null
    tenantId: string | null
  },
): Promise<void> {
  const { id, fingerprint, status, answerSealed, expiresAt, aboutId, tenantId } = answer
  // An expired answer with the same key may still exist.
  await run(
    tx,
    sql`insert into idempotency_keys (id, fingerprint, status, answer_sealed, expires_at, about_id, tenant_id)
      values (${id}, ${fingerprint}, ${status}, ${answerSealed}, ${expiresAt}, ${aboutId}, ${tenantId})
      on conflict (id) do update set fingerprint = excluded.fingerprint, status = excluded.status,
        answer_sealed = excluded.answer_sealed, expires_at = excluded.expires_at, about_id = excluded.about_id,
        tenant_id = excluded.tenant_id`,
  )
}

/** Erases stored answers about these objects. Call it in the transaction that erases them, after removing or locking them. */
export async function eraseStoredAnswers(tx: Scope, aboutIds: string[]): Promise<void> {
  await run(tx, sql`update idempotency_keys set answer_sealed = null where about_id = any (${aboutIds}::uuid[])`)
}

/**
 * Erases all stored answers with data of the tenant. Their rows stay until they expire, so that a repeated request is
 * refused with NOT_FOUND instead of being executed again. Call it last in the transaction that erases the tenant: by then
 * the requests that were still changing its rows have ended and stored their answers.
 */
export async function eraseStoredAnswersOfTenant(tx: Scope, tenantId: string): Promise<void> {
  await run(
    tx,
    sql`update idempotency_keys set answer_sealed = null, about_id = null, tenant_id = null where tenant_id = ${tenantId}`,
  )
}

export function deleteExpiredAnswers(platform: PlatformScope, now: Date): Promise<number> {
  return run(platform, sql`delete from idempotency_keys where expires_at <= ${now}`)
}
