import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Page } from '../../kernel/paging.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import type { ClaimedBlobs } from '../../storage/blobs/claimed-blobs.ts'
import type { Draft } from '../../storage/blobs/drafts.ts'
import type { PublicChanged } from '../../storage/public-revision.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { BadImage, type Images, type ImageVariant } from './images.ts'
import type { MediaChange } from './media.schema.ts'
import {
  findMedia,
  listMedia,
  listMediaUsers,
  lockMedia,
  type Media,
  type MediaFile,
  type MediaFilter,
  type MediaTexts,
  putMediaFile,
  removeMedia,
  updateMedia,
} from './media.store.ts'
import type { MediaUser } from './media-library.ts'
import { inOne } from './receive-file.ts'
import { variantFile } from './upload.service.ts'

export type MediaDeps = {
  clock: Clock
  audit: Audit
  blobs: Blobs
  claimedBlobs: ClaimedBlobs
  images: Images
  publicChanged: PublicChanged
}

/** Called inside the transaction with the current file: refuses a change based on another revision. */
export type Refuse = (known: { id: string; revision: number }) => void

export function mediaService(deps: MediaDeps) {
  const { clock, audit, blobs, claimedBlobs, publicChanged } = deps
  return {
    list: (platform: PlatformScope, ask: MediaFilter): Promise<Page<Media>> => listMedia(platform, ask),

    get: async (platform: PlatformScope, id: string): Promise<Media & { usedBy: MediaUser[] }> => {
      const media = orNotFound(await findMedia(platform, id))
      return { ...media, usedBy: await listMediaUsers(platform, id) }
    },

    update: async (platform: PlatformScope, id: string, sent: MediaChange, refuse: Refuse): Promise<Media> => {
      const before = orNotFound(await findMedia(platform, id))
      const to = changedTexts(before, sent)
      const og = await updatedOgImage(deps, { known: before, to })
      const kept = og === null ? [] : [{ draft: og.draft, contentType: og.file.mimeType }]
      try {
        await claimedBlobs.put(kept)
        return await transaction(platform, async (tx) => {
          await claimedBlobs.claim(tx, kept)
          const known = orNotFound(await lockMedia(tx, id))
          refuse(known)
          // The image was made from the state before the lock.
          if (known.revision !== before.revision)
            throw new Refusal('STATE_CONFLICT', {
              detail: 'Somebody else changed the file at the same time. Repeat the change.',
            })
          await updateMedia(tx, id, { ...to, now: clock.now() })
          if (og !== null) await putMediaFile(tx, id, og.file)
          await audit(tx, { action: 'media.update', target: { type: 'media', id }, changes: sent })
          await publicChanged(tx)
          return orNotFound(await findMedia(tx, id))
        })
      } finally {
        // The old image after a change, the new one after a failure: whichever no row uses.
        if (og !== null) {
          await blobs.drafts.remove(og.draft)
          const old = before.files.filter(({ variant }) => variant === 'og').map(({ sha256 }) => sha256)
          await claimedBlobs.tidy(platform, [...old, og.draft.sha256])
        }
      }
    },

    /** Refuses STATE_CONFLICT, naming the users, while the file is in use. */
    remove: async (platform: PlatformScope, id: string, refuse: Refuse): Promise<void> => {
      const files = await transaction(platform, async (tx) => {
        const known = orNotFound(await lockMedia(tx, id))
        refuse(known)
        refuseUsed(await listMediaUsers(tx, id))
        await removeMedia(tx, id)
        const { filename, sha256 } = known
        await audit(tx, { action: 'media.delete', target: { type: 'media', id }, changes: { filename, sha256 } })
        await publicChanged(tx)
        return known.files
      })
      await claimedBlobs.tidy(
        platform,
        files.map(({ sha256 }) => sha256),
      )
    },
  }
}

/**
 * Makes the image for link previews again for a new focal point. Null where it stays as it is, also where the original
 * is lost or cannot be decoded, so that the texts of such a file can still be changed.
 */
async function updatedOgImage(
  { blobs, images }: Pick<MediaDeps, 'blobs' | 'images'>,
  { known, to }: { known: Media; to: MediaTexts },
): Promise<{ file: MediaFile; draft: Draft } | null> {
  const hasOg = known.files.some(({ variant }) => variant === 'og')
  if (!hasOg || (known.focalX === to.focalX && known.focalY === to.focalY)) return null
  const bytes = await blobs.open(known.sha256)
  if (bytes === null) return null
  const original = await blobs.drafts.write(bytes)
  try {
    const made = await images.og(original.path, { x: to.focalX, y: to.focalY }).catch(nullForBadImage)
    if (made === null) return null
    const draft = await blobs.drafts.write(inOne(made.bytes))
    return { file: variantFile(made, draft, known.filename), draft }
  } finally {
    await blobs.drafts.remove(original)
  }
}

function changedTexts(known: Media, sent: MediaChange): MediaTexts {
  const { alt, title, caption, tags, folder, focalX, focalY } = { ...known, ...sent }
  return { alt, title, caption, tags, folder, focalX, focalY }
}

function nullForBadImage(error: unknown): ImageVariant | null {
  if (error instanceof BadImage) return null
  throw error
}

function refuseUsed(users: MediaUser[]): void {
  if (users.length === 0) return
  const named = users.slice(0, 5).map(({ kind, label }) => `${kind} ${label}`)
  const more = users.length > named.length ? ` and ${users.length - named.length} more` : ''
  throw new Refusal('STATE_CONFLICT', { detail: `The file is used by ${named.join(', ')}${more}.` })
}

function orNotFound(media: Media | null): Media {
  if (media === null) throw notFound()
  return media
}
