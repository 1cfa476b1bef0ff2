import { createHash } from 'node:crypto'
import { maybeOne, run, type Sql, sql } from '../storage/query.ts'
import { type PlatformScope, pipelined, type Scope } from '../storage/scope.ts'

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

/** Longer than any request runs. */
const erasureMarkRetentionMs = 24 * 3600 * 1000

/** Stores the answer for repeats. Of a tenant that has been erased meanwhile only the row is kept, as the erasure does. */
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
  const isErased =
    tenantId === null ? sql`false` : sql`exists (select from idempotency_keys where id = ${erasureMark(tenantId)})`
  const insertion = sql`insert into idempotency_keys (id, fingerprint, status, answer_sealed, expires_at, about_id, tenant_id)
    select ${id}, ${fingerprint}, ${status}, case when not is_erased then ${answerSealed}::bytea end, ${expiresAt},
      case when not is_erased then ${aboutId}::uuid end, case when not is_erased then ${tenantId}::uuid end
    from (select ${isErased} as is_erased) as tenant
    on conflict (id) do update set fingerprint = excluded.fingerprint, status = excluded.status,
      answer_sealed = excluded.answer_sealed, expires_at = excluded.expires_at, about_id = excluded.about_id,
      tenant_id = excluded.tenant_id` // An expired answer with the same key may still exist.
  await pipelined([
    // A statement of its own, so that the next one sees an erasure that it waited for.
    ...(tenantId === null ? [] : [run(tx, sql`select pg_advisory_xact_lock_shared(${erasureLock(tenantId)})`)]),
    run(tx, insertion),
  ])
}

/** The id of a row that tells of an erasure, until every request has ended that began before it. */
function erasureMark(tenantId: string): Buffer {
  return createHash('sha256').update(`erased ${tenantId}`).digest()
}

function erasureLock(tenantId: string): Sql<unknown> {
  return sql`hashtextextended(${`answers of ${tenantId}`}, 0)`
}

/** Erases stored answers about these objects. Call it in the transaction that erases them, after removing or locking them. */
export async function eraseStoredAnswers(tx: Scope, aboutIds: string[]): Promise<void> {
  await run(tx, sql`update idempotency_keys set answer_sealed = null where about_id = any (${aboutIds}::uuid[])`)
}

/**
 * Erases all stored answers with data of the tenant. Their rows stay until they expire, so that a repeated request is refused
 * with NOT_FOUND instead of being executed again. Waits for requests that are storing their answers, and those that come
 * later wait for the erasure. They hold other locks, so call it last in the transaction.
 */
export async function eraseStoredAnswersOfTenant(tx: Scope, tenantId: string, now: Date): Promise<void> {
  await run(tx, sql`select pg_advisory_xact_lock(${erasureLock(tenantId)})`)
  const mark = erasureMark(tenantId)
  await run(
    tx,
    sql`insert into idempotency_keys (id, fingerprint, status, expires_at)
      values (${mark}, ${mark}, 404, ${new Date(now.getTime() + erasureMarkRetentionMs)}) on conflict (id) do nothing`,
  )
  await run(
    tx,
    sql`update idempotency_keys set answer_sealed = null, about_id = null, tenant_id = null where tenant_id = ${tenantId}`,
  )
}

export function deleteExpiredAnswers(platform: PlatformScope, now: Date): Promise<number> {
  return run(platform, sql`delete from idempotency_keys where expires_at <= ${now}`)
}
