import { createHash, createHmac } from 'node:crypto'
import { invalidField, Refusal, type RefusalCode, type RefusalOptions, refusals } from '../kernel/refusal.ts'
import type { Handle } from '../storage/handle.ts'
import type { PlatformScope } from '../storage/scope.ts'
import { transaction } from '../storage/scope.ts'
import type { SealedColumn } from '../storage/sealed-column.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { Answer } from './answer.ts'
import { findAnswer, lockRequest, storeAnswer } from './idempotency.store.ts'

const retentionMs = 24 * 3600 * 1000
const keyPattern = /^[\x20-\x7e]{1,255}$/

export type IdempotentRequest = {
  key: string
  /** The caller, method and path the key belongs to. */
  scope: string
  /** Whose data the answer holds, as far as the request tells. */
  tenantId: string | null
  fingerprint: Buffer
  now: Date
}

type StoredOutcome = { answer: Answer } | { refusal: { code: RefusalCode; options: RefusalOptions } }

export const sealedAnswers: SealedColumn = {
  table: 'idempotency_keys',
  column: 'answer_sealed',
  owner: ['id'],
  context: ([id = '']) => sealContext(id.replace('\\x', '')),
}

/** The seal context of a stored answer. */
function sealContext(idHex: string): string {
  return `idempotency:${idHex}`
}

/** The `Idempotency-Key` of a request; null without one, a refusal when it is not 1 to 255 printable ASCII characters. */
export function readIdempotencyKey(value: string | string[] | undefined): string | null {
  if (value === undefined) return null
  if (typeof value === 'string' && keyPattern.test(value)) return value
  throw invalidField('/headers/idempotency-key', {
    code: 'format',
    message: 'must be 1 to 255 printable ASCII characters',
  })
}

export type RequestFingerprints = {
  body(body: unknown): Buffer
  bytes(sent: { contentType: string; bytes: Buffer }): Buffer
}

/**
 * The fingerprint that distinguishes a repeat from another request. It is keyed because a body may hold a password, which
 * could be guessed from a plain hash in a copy of the database.
 */
export function requestFingerprints(secrets: Pick<Secrets, 'derive'>): RequestFingerprints {
  const key = secrets.derive('idempotency')
  return {
    body: (body) =>
      createHmac('sha256', key)
        .update(JSON.stringify(canonical(body)) ?? '')
        .digest(),
    bytes: ({ contentType, bytes }) =>
      createHmac('sha256', key).update(contentType).update('\n').update(bytes).digest(),
  }
}

export type OnceRequest = {
  platform: PlatformScope
  request: IdempotentRequest
  secrets: Secrets
  work(handle: Handle): Promise<Answer>
  /** May refuse to show the stored answer again. */
  authorizeRepeat?(handle: Handle, subjectId: string | null): Promise<unknown>
}

/**
 * Runs `work` once for a key (draft-ietf-httpapi-idempotency-key-header). The effect and the stored answer share a
 * transaction, so after a crash both exist or neither does, and a repeat never runs the work twice.
 */
export async function runOnce({ platform, request, secrets, work, authorizeRepeat }: OnceRequest): Promise<Answer> {
  const id = createHash('sha256')
    .update(JSON.stringify([request.scope, request.key]))
    .digest()
  const keep = (tx: PlatformScope, status: number, kept: StoredOutcome) =>
    storeAnswer(tx, {
      id,
      fingerprint: request.fingerprint,
      status,
      answerSealed: secrets.seal(JSON.stringify(kept), sealContext(id.toString('hex'))),
      expiresAt: new Date(request.now.getTime() + retentionMs),
      aboutId: subjectOf(kept),
      tenantId: ('answer' in kept ? kept.answer.tenantId : null) ?? request.tenantId,
    })
  const recall = async (tx: PlatformScope): Promise<StoredOutcome | null> => {
    const isOurs = await lockRequest(tx, id)
    const stored = await findAnswer(tx, id, request.now)
    // Concurrent repeats of a finished request block each other only briefly: the answer exists for all of them.
    if (stored === null && !isOurs) throw new Refusal('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 })
    if (stored === null) return null
    if (!stored.fingerprint.equals(request.fingerprint)) throw new Refusal('IDEMPOTENCY_KEY_REUSED')
    if (stored.answerSealed === null) return { refusal: { code: 'NOT_FOUND', options: {} } }
    return JSON.parse(secrets.open(stored.answerSealed, sealContext(id.toString('hex')))) as StoredOutcome
  }
  let isRecalled = false
  try {
    return await transaction(platform, async (tx) => {
      isRecalled = false
      const known = await recall(tx)
      if (known !== null) {
        isRecalled = true
        await authorizeRepeat?.(tx.handle, subjectOf(known))
        return replay(known)
      }
      const answer = await work(tx.handle)
      const { usage: _, ...kept } = answer
      await keep(tx, answer.status, { answer: kept })
      return answer
    })
  } catch (error) {
    if (error instanceof Refusal && !isRecalled && isFinal(error)) {
      const { code, options } = error
      await transaction(platform, async (tx) => {
        if ((await recall(tx)) === null) await keep(tx, refusals[code][0], { refusal: { code, options } })
      })
    }
    throw error
  }
}

/** Refusals that are stored as the final answer. Not 429 and 503, which invite a repeat, and not the idempotency codes. */
function isFinal({ code }: Refusal): boolean {
  const status = refusals[code][0]
  return status < 500 && status !== 429 && !code.startsWith('IDEMPOTENCY_')
}

function subjectOf(kept: StoredOutcome): string | null {
  return 'answer' in kept ? (kept.answer.subjectId ?? null) : null
}

function replay(kept: StoredOutcome): Answer {
  const header = { 'idempotent-replayed': 'true' }
  if ('answer' in kept) return { ...kept.answer, headers: { ...kept.answer.headers, ...header } }
  const { code, options } = kept.refusal
  throw new Refusal(code, { ...options, headers: { ...options.headers, ...header } })
}

/** The order of members does not matter. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, canonical(member)]),
  )
}
