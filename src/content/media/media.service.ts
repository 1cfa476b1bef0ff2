import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Page } from '../../kernel/paging.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import type { Draft } from '../../storage/blobs/drafts.ts'
import type { PublicChanged } from '../../storage/public-revision.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { BadImage, type Images, type MadeImage } from './images.ts'
import type { Keeping } from './keeping.service.ts'
import type { MediaChange } from './media.schema.ts'
import {
  findMedia,
  listMedia,
  lockMedia,
  type Media,
  type MediaAsk,
  type MediaFile,
  type MediaTexts,
  putMediaFile,
  removeMedia,
  updateMedia,
  usersOf,
} from './media.store.ts'
import type { MediaUser } from './media-library.ts'
import { inOne } from './preparation.ts'
import { fileOf } from './upload.service.ts'

export type MediaDeps = {
  clock: Clock
  audit: Audit
  blobs: Blobs
  keeping: Keeping
  images: Images
  publicChanged: PublicChanged
}

/** Called inside the transaction with what is there: refuses a change of another revision than was read. */
export type Refuse = (known: { id: string; revision: number }) => void

export function mediaService(deps: MediaDeps) {
  const { clock, audit, blobs, keeping, publicChanged } = deps
  return {
    list: (platform: PlatformScope, ask: MediaAsk): Promise<Page<Media>> => listMedia(platform, ask),

    get: async (platform: PlatformScope, id: string): Promise<Media & { usedBy: MediaUser[] }> => {
      const media = found(await findMedia(platform, id))
      return { ...media, usedBy: await usersOf(platform, id) }
    },

    update: async (platform: PlatformScope, id: string, sent: MediaChange, refuse: Refuse): Promise<Media> => {
      const before = found(await findMedia(platform, id))
      const to = changed(before, sent)
      const og = await newOg(deps, { known: before, to })
      const kept = og === null ? [] : [{ draft: og.draft, contentType: og.file.mimeType }]
      try {
        await keeping.put(kept)
        return await transaction(platform, async (tx) => {
          await keeping.claim(tx, kept)
          const known = found(await lockMedia(tx, id))
          refuse(known)
          // The picture was made for what was there before the lock.
          if (known.revision !== before.revision)
            throw new Refusal('STATE_CONFLICT', {
              detail: 'Somebody changed the file at the same time; repeat the change.',
            })
          await updateMedia(tx, id, { ...to, now: clock.now() })
          if (og !== null) await putMediaFile(tx, id, og.file)
          await audit(tx, { action: 'media.update', target: { type: 'media', id }, changes: sent })
          await publicChanged(tx)
          return found(await findMedia(tx, id))
        })
      } finally {
        // The old picture after a change, the new one after a failure: whichever no row claims.
        if (og !== null) {
          await blobs.drafts.remove(og.draft)
          const old = before.files.filter(({ variant }) => variant === 'og').map(({ sha256 }) => sha256)
          await keeping.tidy(platform, [...old, og.draft.sha256])
        }
      }
    },

    /** Refuses STATE_CONFLICT, naming them, while others show it. */
    remove: async (platform: PlatformScope, id: string, refuse: Refuse): Promise<void> => {
      const files = await transaction(platform, async (tx) => {
        const known = found(await lockMedia(tx, id))
        refuse(known)
        refuseUsed(await usersOf(tx, id))
        await removeMedia(tx, id)
        const { filename, sha256 } = known
        await audit(tx, { action: 'media.delete', target: { type: 'media', id }, changes: { filename, sha256 } })
        await publicChanged(tx)
        return known.files
      })
      await keeping.tidy(
        platform,
        files.map(({ sha256 }) => sha256),
      )
    },
  }
}

/**
 * The picture for link previews follows the focal point. Null where it stays as it is: also where the original is
 * lost or cannot be decoded any more, so that the texts of such a file can still be changed.
 */
async function newOg(
  { blobs, images }: Pick<MediaDeps, 'blobs' | 'images'>,
  { known, to }: { known: Media; to: MediaTexts },
): Promise<{ file: MediaFile; draft: Draft } | null> {
  const hasOg = known.files.some(({ variant }) => variant === 'og')
  if (!hasOg || (known.focalX === to.focalX && known.focalY === to.focalY)) return null
  const bytes = await blobs.open(known.sha256)
  if (bytes === null) return null
  const original = await blobs.drafts.write(bytes)
  try {
    const made = await images.og(original.path, { x: to.focalX, y: to.focalY }).catch(noneOfBadImage)
    if (made === null) return null
    const draft = await blobs.drafts.write(inOne(made.bytes))
    return { file: fileOf(made, draft, known.filename), draft }
  } finally {
    await blobs.drafts.remove(original)
  }
}

function changed(known: Media, sent: MediaChange): MediaTexts {
  const { alt, title, caption, tags, folder, focalX, focalY } = { ...known, ...sent }
  return { alt, title, caption, tags, folder, focalX, focalY }
}

function noneOfBadImage(error: unknown): MadeImage | null {
  if (error instanceof BadImage) return null
  throw error
}

function refuseUsed(users: MediaUser[]): void {
  if (users.length === 0) return
  const named = users.slice(0, 5).map(({ kind, label }) => `${kind} ${label}`)
  const more = users.length > named.length ? ` and ${users.length - named.length} more` : ''
  throw new Refusal('STATE_CONFLICT', { detail: `It is used by ${named.join(', ')}${more}.` })
}

function found(media: Media | null): Media {
  if (media === null) throw notFound()
  return media
}
