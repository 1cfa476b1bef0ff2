import { randomBytes } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { type PlatformScope, type Scope, transaction } from '../../storage/scope.ts'
import {
  chainOrigin,
  entryDigests,
  exactTimestamp,
  isGenuineEnd,
  linkHash,
  redactionMacFor,
  saltBytes,
  signedEnd,
  walkChain,
} from './audit-chain.rules.ts'
import {
  addDigests,
  addEnd,
  dropSealed,
  findEnd,
  listSealed,
  listToSeal,
  listUndigested,
  lockEnd,
  moveEnd,
  redactEntries,
  sealEntries,
} from './audit-chain.store.ts'

const batchMax = 500
const dayMs = 24 * 3600 * 1000

/**
 * The hash chain over the audit log. Entries are written without a position in the chain, so that writers never wait for
 * each other. Sealing adds the positions a few seconds later. `docs/audit.md` says what the chain proves and what not.
 */
export function auditChain({ key, clock, retentionDays }: { key: Buffer; clock: Clock; retentionDays: number }) {
  return {
    /** Creates both ends of a new chain. Safe on several nodes at once. */
    initialize: (platform: PlatformScope): Promise<void> =>
      transaction(platform, async (tx) => {
        // A missing single end is not recreated, so that the verification finds it.
        if ((await findEnd(tx, 'HEAD')) !== null) return
        const origin = chainOrigin(key)
        const isNew = await addEnd(tx, 'BASE', signedEnd(key, 'BASE', origin))
        if (!isNew) return
        await addEnd(tx, 'HEAD', signedEnd(key, 'HEAD', origin))
        await addMissingDigests(tx, key)
      }),

    /** Seals all waiting entries, unless another node is doing it. Throws if the head was tampered with. */
    seal: async (platform: PlatformScope): Promise<number> => {
      let total = 0
      for (;;) {
        const sealed = await transaction(platform, (tx) => sealBatch(tx, key))
        total += sealed
        if (sealed < batchMax) return total
      }
    },

    /** Deletes entries older than the retention time, oldest first. Throws if they were tampered with, because then they are evidence. */
    deleteOld: async (platform: PlatformScope): Promise<number> => {
      const before = exactTimestamp(new Date(clock.now().getTime() - retentionDays * dayMs))
      let total = 0
      for (;;) {
        const deleted = await transaction(platform, (tx) => deleteBatch(tx, key, before))
        total += deleted
        if (deleted < batchMax) return total
      }
    },

    /**
     * Removes personal data from the entries of a tenant that is being erased. Must run in the transaction that sets its
     * `erased_at`, before the entry of the erasure itself is written. Returns the number of entries.
     */
    redactTenant: (tx: Scope, tenantId: string, now: Date): Promise<number> =>
      redactEntries(tx, { tenantId, now, mac: redactionMacFor(key, tenantId, now) }),
  }
}

/** Adds digests to entries that are older than the chain. */
async function addMissingDigests(tx: PlatformScope, key: Buffer): Promise<void> {
  for (;;) {
    const entries = await listUndigested(tx, batchMax)
    for (const entry of entries) await addDigests(tx, entry.id, entryDigests(key, entry, randomBytes(saltBytes)))
    if (entries.length < batchMax) return
  }
}

async function sealBatch(tx: PlatformScope, key: Buffer): Promise<number> {
  const head = await lockEnd(tx, 'HEAD')
  if (head === null) return 0
  const waiting = await listToSeal(tx, batchMax)
  if (waiting.length === 0) return 0
  if (!isGenuineEnd(key, 'HEAD', head))
    throw new Error(`The head of the audit log (entry ${head.seq}) was tampered with.`)
  let { seq, hash } = head
  const links = waiting.map(({ id, digest }) => {
    seq += 1
    // An entry without a digest was not written by this service. It is sealed, and the verification reports it.
    hash = linkHash(key, hash, { seq, digest: digest ?? Buffer.alloc(0) })
    return { id, seq, hash }
  })
  await sealEntries(tx, links)
  await moveEnd(tx, 'HEAD', signedEnd(key, 'HEAD', { seq, hash }))
  return links.length
}

async function deleteBatch(tx: PlatformScope, key: Buffer, before: string): Promise<number> {
  const base = await lockEnd(tx, 'BASE')
  if (base === null) return 0
  const oldest = await listSealed(tx, { after: base.seq, last: base.seq + batchMax, limit: batchMax })
  const firstKept = oldest.findIndex(({ at }) => at >= before)
  const old = firstKept === -1 ? oldest : oldest.slice(0, firstKept)
  if (old.length === 0) return 0
  // An attacker could give a changed entry an old date, so that it is deleted here.
  if (!isGenuineEnd(key, 'BASE', base))
    throw new Error(`The base of the audit log (entry ${base.seq}) was tampered with.`)
  const { seq, hash, fault } = walkChain(key, base, old)
  if (fault !== null) {
    throw new Error(`Old audit entries are kept as evidence: entry ${fault.seq} was tampered with (${fault.reason}).`)
  }
  await dropSealed(tx, seq)
  await moveEnd(tx, 'BASE', signedEnd(key, 'BASE', { seq, hash }))
  return old.length
}
