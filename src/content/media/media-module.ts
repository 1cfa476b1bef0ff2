import type { Route } from '../../http/route.ts'
import type { Log } from '../../http/server-deps.ts'
import type { Audit } from '../../identity/index.ts'
import { type JobHandler, jobHandler } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isId } from '../../kernel/ids.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import { invalidField } from '../../kernel/refusal.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import { claimedBlobs } from '../../storage/blobs/claimed-blobs.ts'
import type { PublicChanged } from '../../storage/public-revision.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { fileRoutes } from './file.routes.ts'
import { type Images, imageTools } from './images.ts'
import { mediaRoutes } from './media.routes.ts'
import { mediaService } from './media.service.ts'
import { findManyMedia, lockMediaByHash, lockMediaInUse, replaceMediaUses } from './media.store.ts'
import { mediaSummary } from './media.view.ts'
import { findHashes } from './media-address.rules.ts'
import type { MediaLibrary } from './media-library.ts'
import { sweepService } from './sweep.service.ts'
import { uploadService } from './upload.service.ts'

export type MediaParts = {
  platform: PlatformScope
  clock: Clock
  log: Log
  metrics: Metrics
  audit: Audit
  publicChanged: PublicChanged
  blobs: Blobs
  /** Set only by tests of an installation without the image library. */
  images?: Images
}

export type MediaModule = {
  routes: Route[]
  jobs: JobHandler[]
  library: MediaLibrary
  sweep: ReturnType<typeof sweepService>
}

const sweepJob = { name: 'content.media.sweep', attemptsMax: 3, backoffSeconds: 60, timeoutSeconds: 1800 }

/** Uploaded files: their administration, their public bytes, and their uses. */
export function mediaModule(parts: MediaParts): MediaModule {
  const { platform, blobs } = parts
  const shared = { ...parts, images: parts.images ?? imageTools(), claimedBlobs: claimedBlobs(parts) }
  const sweep = sweepService(shared)
  const services = { media: mediaService(shared), uploads: uploadService(shared) }
  return {
    routes: [...mediaRoutes(services), ...fileRoutes({ blobs })],
    jobs: [
      jobHandler({ ...sweepJob, cron: '23 * * * *' }, async ({ signal }) => {
        await sweep.sweep(platform, signal)
      }),
    ],
    library,
    sweep,
  }
}

const library: MediaLibrary = {
  find: async (scope, mediaIds) => {
    const media = mediaIds.length === 0 ? [] : await findManyMedia(scope, mediaIds.filter(isId))
    return new Map(media.map((found) => [found.id, mediaSummary(found)]))
  },
  setUses: async (tx, { texts, ...user }, mediaIds) => {
    const wanted = [...new Set(mediaIds)]
    const held = new Set(wanted.length === 0 ? [] : await lockMediaInUse(tx, wanted.filter(isId)))
    const absent = wanted.find((id) => !held.has(id))
    if (absent !== undefined)
      throw invalidField('/body', {
        code: 'media',
        message: `is not the id of an uploaded file: ${absent.slice(0, 64)}`,
      })
    const hashes = findHashes(texts)
    const shown = hashes.length === 0 ? [] : await lockMediaByHash(tx, hashes)
    await replaceMediaUses(tx, user, [...new Set([...wanted, ...shown])])
  },
}
