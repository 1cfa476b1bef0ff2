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
 * The hash chain over the audit log. Entries are written without a place in it, so that writers never wait for each
 * other; a sealer gives them their places a few seconds later. `docs/audit.md` says what that proves and what not.
 */
export function auditChain({ key, clock, retentionDays }: { key: Buffer; clock: Clock; retentionDays: number }) {
  return {
    /** Makes both ends of a new chain; safe on several nodes at once. */
    initialize: (platform: PlatformScope): Promise<void> =>
      transaction(platform, async (tx) => {
        // One end that is gone is not put back: the verification has to find that.
        if ((await findEnd(tx, 'HEAD')) !== null) return
        const origin = chainOrigin(key)
        const isNew = await addEnd(tx, 'BASE', signedEnd(key, 'BASE', origin))
        if (!isNew) return
        await addEnd(tx, 'HEAD', signedEnd(key, 'HEAD', origin))
        await addMissingDigests(tx, key)
      }),

    /** Seals all that waits, unless another node is at it. Throws where the head is not genuine: nothing is built on it. */
    seal: async (platform: PlatformScope): Promise<number> => {
      let total = 0
      for (;;) {
        const sealed = await transaction(platform, (tx) => sealBatch(tx, key))
        total += sealed
        if (sealed < batchMax) return total
      }
    },

    /** Drops what is older than the retention, from the old end alone. Throws where it was changed: then it is evidence. */
    dropOld: async (platform: PlatformScope): Promise<number> => {
      const before = exactTimestamp(new Date(clock.now().getTime() - retentionDays * dayMs))
      let total = 0
      for (;;) {
        const dropped = await transaction(platform, (tx) => dropBatch(tx, key, before))
        total += dropped
        if (dropped < batchMax) return total
      }
    },

    /**
     * Takes what is personal out of the entries of a tenant that is being erased, in the transaction that sets its
     * `erased_at`. Entries of the erasure itself are written after it. Gives the number of entries.
     */
    redactTenant: (tx: Scope, tenantId: string, now: Date): Promise<number> =>
      redactEntries(tx, { tenantId, now, mac: redactionMacFor(key, tenantId, now) }),
  }
}

/** Entries that were there before the chain get their digests once, when it begins. */
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
  if (!isGenuineEnd(key, 'HEAD', head)) throw new Error(`The head of the audit log, entry ${head.seq}, was changed.`)
  let { seq, hash } = head
  const links = waiting.map(({ id, digest }) => {
    seq += 1
    // An entry without a digest was not written by us: it gets its place, and the verification names it.
    hash = linkHash(key, hash, { seq, digest: digest ?? Buffer.alloc(0) })
    return { id, seq, hash }
  })
  await sealEntries(tx, links)
  await moveEnd(tx, 'HEAD', signedEnd(key, 'HEAD', { seq, hash }))
  return links.length
}

async function dropBatch(tx: PlatformScope, key: Buffer, before: string): Promise<number> {
  const base = await lockEnd(tx, 'BASE')
  if (base === null) return 0
  const oldest = await listSealed(tx, { after: base.seq, last: base.seq + batchMax, limit: batchMax })
  const firstYoung = oldest.findIndex(({ at }) => at >= before)
  const old = firstYoung === -1 ? oldest : oldest.slice(0, firstYoung)
  if (old.length === 0) return 0
  // A changed entry could have been given an old date to be swept away by us.
  if (!isGenuineEnd(key, 'BASE', base)) throw new Error(`The base of the audit log, entry ${base.seq}, was changed.`)
  const { seq, hash, fault } = walkChain(key, base, old)
  if (fault !== null) {
    throw new Error(`Old audit entries are kept: entry ${fault.seq} is not as it was written (${fault.reason}).`)
  }
  await dropSealed(tx, seq)
  await moveEnd(tx, 'BASE', signedEnd(key, 'BASE', { seq, hash }))
  return old.length
}
