import type { PlatformScope } from '../../storage/scope.ts'
import { type ChainEnd, entryFault, isGenuineEnd, type VerificationReason, walkChain } from './audit-chain.rules.ts'
import {
  type Cursor,
  findEnd,
  findSealedOutsideEnds,
  firstCursor,
  listSealed,
  listUnsealed,
} from './audit-chain.store.ts'

const pageMax = 500

/** Position and hash of an entry, from an earlier verification. */
export type Checkpoint = { seq: number; hash: string }

export type Verification = {
  ok: boolean
  /** Sealed entries that were checked. */
  checked: number
  redacted: number
  unsealed: number
  /** The first wrong position; null also if the fault has no position. */
  firstBadSeq: number | null
  /** The entry at this position, if there is one. */
  firstBadId: string | null
  reason: VerificationReason | null
  /** To be stored elsewhere and sent back as `checkpoint`. */
  head: Checkpoint | null
  /** Where to continue; null if everything was checked. */
  nextSeq: number | null
}

export type VerificationOptions = {
  key: Buffer
  /** Where to start; an earlier call has verified everything before it. */
  fromSeq?: number
  /** An entry that must be unchanged. */
  checkpoint?: Checkpoint
  entriesMax?: number
}

type Ends = { base: ChainEnd; head: ChainEnd }
type Fault = { seq: number | null; id: string | null; reason: VerificationReason }
type WalkResult = { seq: number; redacted: number; checked: number; fault: Fault | null }

/**
 * Reads the log in pages and finds the first entry that was tampered with. Holds no lock and no transaction: entries may be
 * written, sealed and deleted by age meanwhile.
 */
export async function verifyAudit(platform: PlatformScope, options: VerificationOptions): Promise<Verification> {
  for (;;) {
    const result = await verifyOnce(platform, options)
    if (result.verification.ok) return result.verification
    // Entries that are deleted by age meanwhile look like missing ones. In that case the base has moved, so try again.
    const base = await findEnd(platform, 'BASE')
    if (base === null || base.seq === result.baseSeq) return result.verification
  }
}

async function verifyOnce(
  platform: PlatformScope,
  options: VerificationOptions,
): Promise<{ verification: Verification; baseSeq: number | null }> {
  const { key, fromSeq, checkpoint, entriesMax = Number.POSITIVE_INFINITY } = options
  const base = await findEnd(platform, 'BASE')
  const head = await findEnd(platform, 'HEAD')
  const baseSeq = base?.seq ?? null
  if (base === null || !isGenuineEnd(key, 'BASE', base)) return { verification: failed('BASE_CHANGED'), baseSeq }
  if (head === null || !isGenuineEnd(key, 'HEAD', head)) return { verification: failed('HEAD_CHANGED'), baseSeq }
  const from = fromSeq === undefined ? base : await startAt(platform, base, fromSeq)
  const walked = await walk(platform, { key, from, head, entriesMax })
  const isAtEnd = walked.fault === null && walked.seq >= head.seq
  const unsealed = isAtEnd ? await checkUnsealed(platform, key) : { count: 0, fault: null }
  const fault =
    walked.fault ??
    (await checkpointFault(platform, { base, head }, checkpoint)) ??
    (isAtEnd ? await outsideEndsFault(platform) : null) ??
    unsealed.fault
  const verification: Verification = {
    ok: fault === null,
    checked: walked.checked,
    redacted: walked.redacted,
    unsealed: unsealed.count,
    firstBadSeq: fault?.seq ?? null,
    firstBadId: fault?.id ?? null,
    reason: fault?.reason ?? null,
    head: checkpointAt(head),
    nextSeq: fault === null && !isAtEnd ? walked.seq + 1 : null,
  }
  return { verification, baseSeq }
}

function failed(reason: VerificationReason): Verification {
  const counts = { checked: 0, redacted: 0, unsealed: 0 }
  return { ok: false, ...counts, firstBadSeq: null, firstBadId: null, reason, head: null, nextSeq: null }
}

function checkpointAt({ seq, hash }: ChainEnd): Checkpoint {
  return { seq, hash: hash.toString('hex') }
}

/** The entry before `fromSeq`, where an earlier call has ended. */
async function startAt(
  platform: PlatformScope,
  base: ChainEnd,
  fromSeq: number,
): Promise<Pick<ChainEnd, 'seq' | 'hash'>> {
  const [before] = await listSealed(platform, { after: fromSeq - 2, last: fromSeq - 1, limit: 1 })
  if (before?.seq == null || before.chainHash === null) return base
  return { seq: before.seq, hash: before.chainHash }
}

type WalkOptions = { key: Buffer; from: Pick<ChainEnd, 'seq' | 'hash'>; head: ChainEnd; entriesMax: number }

async function walk(platform: PlatformScope, { key, from, head, entriesMax }: WalkOptions): Promise<WalkResult> {
  const walked: WalkResult = { seq: from.seq, redacted: 0, checked: 0, fault: null }
  let hash = from.hash
  while (walked.seq < head.seq && walked.checked < entriesMax) {
    const entries = await listSealed(platform, { after: walked.seq, last: head.seq, limit: pageMax })
    if (entries.length === 0) {
      return { ...walked, fault: { seq: walked.seq + 1, id: null, reason: 'NEWEST_MISSING' } }
    }
    const { fault, ...page } = walkChain(key, { seq: walked.seq, hash }, entries)
    walked.checked += page.seq - walked.seq
    walked.redacted += page.redacted
    walked.seq = page.seq
    hash = page.hash
    if (fault !== null) {
      const id = entries.find(({ seq }) => seq === fault.seq)?.id ?? null
      return { ...walked, fault: { seq: fault.seq, id, reason: fault.reason } }
    }
  }
  const headDiffers = walked.seq === head.seq && !hash.equals(head.hash)
  return headDiffers ? { ...walked, fault: { seq: head.seq, id: null, reason: 'CHAIN_BROKEN' } } : walked
}

async function outsideEndsFault(platform: PlatformScope): Promise<Fault | null> {
  const seq = await findSealedOutsideEnds(platform)
  return seq === null ? null : { seq, id: null, reason: 'ENTRY_ADDED' }
}

async function checkpointFault(
  platform: PlatformScope,
  { base, head }: Ends,
  checkpoint: Checkpoint | undefined,
): Promise<Fault | null> {
  if (checkpoint === undefined || checkpoint.seq < base.seq) return null // deleted by age: it cannot be checked
  const { seq, hash } = checkpoint
  const replaced: Fault = { seq, id: null, reason: 'HISTORY_REPLACED' }
  if (seq > head.seq) return replaced
  if (seq === base.seq) return base.hash.toString('hex') === hash ? null : replaced
  const [entry] = await listSealed(platform, { after: seq - 1, last: seq, limit: 1 })
  return entry?.chainHash?.toString('hex') === hash ? null : replaced
}

async function checkUnsealed(platform: PlatformScope, key: Buffer): Promise<{ count: number; fault: Fault | null }> {
  let cursor: Cursor = firstCursor
  let count = 0
  let fault: Fault | null = null
  for (;;) {
    const entries = await listUnsealed(platform, cursor, pageMax)
    count += entries.length
    for (const entry of entries) {
      const reason = entryFault(key, entry)
      if (reason !== null) fault ??= { seq: null, id: entry.id, reason }
    }
    const last = entries.at(-1)
    if (last === undefined || entries.length < pageMax) return { count, fault }
    cursor = { at: last.at, id: last.id }
  }
}
