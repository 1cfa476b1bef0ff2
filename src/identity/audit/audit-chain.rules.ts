import { hash, timingSafeEqual } from 'node:crypto'

/** The personal data of an entry, which an erasure removes. */
export type PersonalContent = {
  actorLabel: string
  ip: string | null
  requestId: string | null
  /** A JSON value. */
  changes: unknown
}

export type EntryContent = PersonalContent & {
  id: string
  /** UTC with microseconds, the precision of the column. */
  at: string
  tenantId: string | null
  actorType: string
  actorId: string | null
  action: string
  targetType: string
  targetId: string | null
  outcome: string
}

export type Digests = { salt: Buffer; personalDigest: Buffer; digest: Buffer }

/** One end of the chain: position and hash of the last entry that was sealed (HEAD) or deleted by age (BASE). */
export type ChainEnd = { seq: number; hash: Buffer; mac: Buffer }
export type ChainEndName = 'BASE' | 'HEAD'

/** An entry as the verification reads it. */
export type StoredEntry = EntryContent & {
  salt: Buffer | null
  personalDigest: Buffer | null
  digest: Buffer | null
  seq: number | null
  chainHash: Buffer | null
  redactedAt: Date | null
  redactionMac: Buffer | null
  isTenantErased: boolean
}

/** The format of `EntryContent.at`. Such texts sort by time. */
export function exactTimestamp(at: Date): string {
  return `${at.toISOString().slice(0, -1)}000`
}

export const redactedLabel = '[erased]'
export const saltBytes = 16

/** The digests of a new entry. They are keyed: nobody can forge them with access to the database alone. */
export function entryDigests(key: Buffer, content: EntryContent, salt: Buffer): Digests {
  const personalDigest = digestPersonalContent(key, content, salt)
  return { salt, personalDigest, digest: contentDigest(key, content, personalDigest) }
}

/** The hash of an entry at its position. Changing, removing or moving an entry changes all later hashes. */
export function linkHash(key: Buffer, previous: Buffer, { seq, digest }: { seq: number; digest: Buffer }): Buffer {
  return mac(key, 'link', [previous, String(seq), digest])
}

/** The MAC includes the name, so that one end cannot be copied over the other. */
export function signedEnd(key: Buffer, name: ChainEndName, { seq, hash }: { seq: number; hash: Buffer }): ChainEnd {
  return { seq, hash, mac: mac(key, name, [String(seq), hash]) }
}

export function isGenuineEnd(key: Buffer, name: ChainEndName, end: ChainEnd): boolean {
  return isSame(end.mac, signedEnd(key, name, end).mac)
}

/** The start of a chain without entries. */
export function chainOrigin(key: Buffer): { seq: number; hash: Buffer } {
  return { seq: 0, hash: mac(key, 'origin', []) }
}

/** Proves that a process with the key erased this tenant at this time. */
export function redactionMacFor(key: Buffer, tenantId: string, redactedAt: Date): Buffer {
  return mac(key, 'redaction', [tenantId, redactedAt.toISOString()])
}

/** What a verification can find. `docs/audit.md` explains each reason. */
export const verificationReasons = [
  'ENTRY_CHANGED',
  'REDACTION_FORGED',
  'ENTRY_MISSING',
  'CHAIN_BROKEN',
  'NEWEST_MISSING',
  'ENTRY_ADDED',
  'BASE_CHANGED',
  'HEAD_CHANGED',
  'HISTORY_REPLACED',
] as const
export type VerificationReason = (typeof verificationReasons)[number]

type EntryFault = Extract<VerificationReason, 'ENTRY_CHANGED' | 'REDACTION_FORGED'>

/** What is wrong with an entry, apart from its position; null if nothing is. */
export function entryFault(key: Buffer, entry: StoredEntry): EntryFault | null {
  const { personalDigest, digest, salt } = entry
  if (personalDigest === null || digest === null) return 'ENTRY_CHANGED'
  if (!isSame(digest, contentDigest(key, entry, personalDigest))) return 'ENTRY_CHANGED'
  if (entry.redactedAt !== null) return isGenuineRedaction(key, entry) ? null : 'REDACTION_FORGED'
  if (entry.redactionMac !== null || salt === null) return 'ENTRY_CHANGED'
  return isSame(personalDigest, digestPersonalContent(key, entry, salt)) ? null : 'ENTRY_CHANGED'
}

function isGenuineRedaction(key: Buffer, entry: StoredEntry): boolean {
  const { tenantId, redactedAt, redactionMac } = entry
  if (tenantId === null || redactedAt === null || redactionMac === null || !entry.isTenantErased) return false
  const isEmpty =
    entry.actorLabel === redactedLabel &&
    entry.ip === null &&
    entry.requestId === null &&
    entry.changes === null &&
    entry.salt === null
  return isEmpty && isSame(redactionMac, redactionMacFor(key, tenantId, redactedAt))
}

type ChainFault = EntryFault | Extract<VerificationReason, 'ENTRY_MISSING' | 'CHAIN_BROKEN'>
type Walk = { seq: number; hash: Buffer; redacted: number; fault: { seq: number; reason: ChainFault } | null }

/** Follows the chain from `from` over entries in the order of `seq`, up to the first wrong one. */
export function walkChain(key: Buffer, from: { seq: number; hash: Buffer }, entries: StoredEntry[]): Walk {
  const walk: Walk = { seq: from.seq, hash: from.hash, redacted: 0, fault: null }
  for (const entry of entries) {
    const seq = walk.seq + 1
    const reason = linkFault(key, walk, entry)
    if (reason !== null) return { ...walk, fault: { seq, reason } }
    walk.seq = seq
    walk.hash = entry.chainHash as Buffer
    if (entry.redactedAt !== null) walk.redacted++
  }
  return walk
}

function linkFault(key: Buffer, previous: { seq: number; hash: Buffer }, entry: StoredEntry): ChainFault | null {
  const seq = previous.seq + 1
  if (entry.seq !== seq) return 'ENTRY_MISSING'
  const fault = entryFault(key, entry)
  if (fault !== null) return fault
  const link = linkHash(key, previous.hash, { seq, digest: entry.digest as Buffer })
  return entry.chainHash !== null && isSame(entry.chainHash, link) ? null : 'CHAIN_BROKEN'
}

function digestPersonalContent(key: Buffer, content: PersonalContent, salt: Buffer): Buffer {
  const { actorLabel, ip, requestId, changes } = content
  return mac(key, 'personal', [salt, JSON.stringify([actorLabel, ip, requestId, canonical(changes)])])
}

function contentDigest(key: Buffer, content: EntryContent, personalDigest: Buffer): Buffer {
  const { id, at, tenantId, actorType, actorId, action, targetType, targetId, outcome } = content
  const kept = [id, at, tenantId, actorType, actorId, action, targetType, targetId, outcome]
  return mac(key, 'entry', [JSON.stringify(kept), personalDigest])
}

/** Sorts object members, because the database stores them in its own order. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, canonical(member)]))
}

/** HMAC-SHA256 for one purpose. Each part is prefixed with its length, so that different lists of parts never give the same input. */
function mac(key: Buffer, purpose: string, parts: (Buffer | string)[]): Buffer {
  const framed = [purpose, ...parts].flatMap((part) => {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    return [Buffer.from(`${bytes.length}:`), bytes]
  })
  return hmacSha256(key, framed)
}

const blockBytes = 64

/**
 * HMAC (RFC 2104) from two one-shot hashes, for keys up to 64 bytes. `createHmac` takes eight times as long, mostly for its
 * setup, and each entry needs two or three HMACs.
 */
export function hmacSha256(key: Buffer, message: Buffer[]): Buffer {
  const padded = Buffer.concat([key], blockBytes)
  const inner = hash('sha256', Buffer.concat([padded.map((byte) => byte ^ 0x36), ...message]), 'buffer')
  return hash('sha256', Buffer.concat([padded.map((byte) => byte ^ 0x5c), inner]), 'buffer')
}

function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}
