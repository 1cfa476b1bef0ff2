import { eraseStoredAnswers } from '../../http/idempotency.store.ts'
import { type JobHandler, type JobKind, type Jobs, jobHandler } from '../../jobs/jobs.ts'
import type { ClaimedBlobs } from '../../storage/blobs/claimed-blobs.ts'
import type { EventBus } from '../../storage/events.ts'
import { inTenant, type Scope } from '../../storage/scope.ts'
import { deleteCollection, listCollectionIds, lockCollections } from '../collections/collection.store.ts'
import { listBlobs } from './document-erasure.store.ts'
import type { DocumentErasure } from './document-erasure.ts'

/** The SHA-256 of originals that may have lost their last claim. */
const removingBlobs: JobKind<{ keys: string[] }> = {
  name: 'knowledge.blobs.remove',
  attemptsMax: 10,
  backoffSeconds: 30,
  timeoutSeconds: 300,
}
const keysMax = 1000

type Deps = { jobs: Jobs; events: EventBus; erasure: DocumentErasure; claimed: Pick<ClaimedBlobs, 'removeUnclaimed'> }

/**
 * A deleted organization takes its collections and documents along, and an erased tenant all of them. Their blobs are removed
 * by a job, once that is certain.
 */
export function eraseWithOwners({ jobs, events, erasure, claimed }: Deps): JobHandler {
  events.on('org.deleted', async (scope, { tenantId, orgId, erased }) => {
    const tx = inTenant(scope, tenantId)
    const collectionIds = await listCollectionIds(tx, orgId)
    await lockCollections(tx, collectionIds)
    const { blobs, ...counts } = await erasure.eraseAll(tx, { orgId, collectionIds })
    for (const id of collectionIds) await deleteCollection(tx, id)
    await eraseStoredAnswers(tx, collectionIds)
    await erasure.noteErased(tx, collectionIds)
    await removeBlobsLater(tx, blobs)
    Object.assign(erased, counts, { collections: collectionIds.length })
  })
  // Its rows are deleted next.
  events.on('tenant.erasing', async (tx, { tenantId }) => removeBlobsLater(tx, await listBlobs(inTenant(tx, tenantId))))

  /** The platform's work: jobs of a tenant are erased with it. */
  async function removeBlobsLater(tx: Scope, keys: string[]): Promise<void> {
    for (let from = 0; from < keys.length; from += keysMax)
      await jobs.enqueue(tx, removingBlobs, { data: { keys: keys.slice(from, from + keysMax) } })
  }

  return jobHandler(removingBlobs, async ({ scope, data: { keys } }) => {
    for (const key of new Set(keys)) await claimed.removeUnclaimed(scope, key)
  })
}
