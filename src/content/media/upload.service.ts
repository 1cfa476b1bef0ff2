import { displayName, safeFileName } from '../../http/uploads/file-name.rules.ts'
import type { Upload } from '../../http/uploads/upload.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import type { ClaimedBlobs, StoredBlob } from '../../storage/blobs/claimed-blobs.ts'
import type { Draft } from '../../storage/blobs/drafts.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import type { Images, ImageVariant } from './images.ts'
import type { MediaFields } from './media.schema.ts'
import { addMedia, findMediaBySha256, type Media, type MediaFile } from './media.store.ts'
import { fileReceiver, noImageData, type PreparationContext, type Prepared, type Received } from './receive-file.ts'

export type UploadDeps = { clock: Clock; audit: Audit; blobs: Blobs; claimedBlobs: ClaimedBlobs; images: Images }

export type Stored = { media: Media; isNew: boolean }

/** What applies to all files of a request. */
type About = { fields: MediaFields; now: Date; uploadedBy: string }

export function uploadService({ clock, audit, blobs, claimedBlobs, images }: UploadDeps) {
  const { receive, prepare } = fileReceiver({ blobs, images })

  const store = (platform: PlatformScope, prepared: Prepared[], fields: MediaFields): Promise<Stored[]> =>
    transaction(platform, async (tx) => {
      await claimedBlobs.claim(tx, prepared.flatMap(blobsToStore))
      const about = { fields, now: clock.now(), uploadedBy: platform.caller.actor.label }
      const stored: Stored[] = []
      for (const file of prepared) stored.push(await storeFile(tx, file, about))
      return stored
    })

  const storeFile = async (tx: PlatformScope, file: Prepared, about: About): Promise<Stored> => {
    // Another request stored the same bytes first, or this request contains them twice.
    const known = await findMediaBySha256(tx, file.draft.sha256)
    if (known !== null) return { media: known, isNew: false }
    if (file.isKnown) throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 }) // removed in this moment
    const media = newMedia(file, about)
    await addMedia(tx, media)
    const { id, filename, mimeType, size, sha256 } = media
    const changes = { filename, mimeType, size, sha256 }
    await audit(tx, { action: 'media.upload', target: { type: 'media', id }, changes })
    return { media: { ...media, usedByCount: 0 }, isNew: true }
  }

  // A known file has its variants already; `storeFile` finds it again.
  const prepareNew = async (platform: PlatformScope, file: Received, rest: PreparationContext): Promise<Prepared> =>
    (await findMediaBySha256(platform, file.draft.sha256)) === null
      ? prepare(file, rest)
      : { ...file, facts: noImageData, variants: [], isKnown: true }

  return {
    /**
     * Stores all files or none. Known bytes are answered with the existing file, so the same request can be repeated.
     */
    upload: async (platform: PlatformScope, upload: Upload<MediaFields>): Promise<Stored[]> => {
      const drafts: Draft[] = []
      const put: StoredBlob[] = []
      try {
        const { fields, files } = await upload.receive((file) => receive(file, drafts))
        const prepared: Prepared[] = []
        for (const file of files) prepared.push(await prepareNew(platform, file, { fields, drafts }))
        put.push(...prepared.flatMap(blobsToStore))
        await claimedBlobs.put(put)
        return await store(platform, prepared, fields)
      } catch (error) {
        await claimedBlobs.tidy(
          platform,
          put.map(({ draft }) => draft.sha256),
        )
        throw error
      } finally {
        await Promise.all(drafts.map(blobs.drafts.remove))
      }
    },
  }
}

function blobsToStore({ draft, type, variants }: Prepared): StoredBlob[] {
  return [
    { draft, contentType: type.mimeType },
    ...variants.map(({ made, draft: variant }) => ({ draft: variant, contentType: made.mimeType })),
  ]
}

function newMedia(
  { draft, type, sentName, facts, variants }: Prepared,
  { fields, now, uploadedBy }: About,
): Omit<Media, 'usedByCount'> {
  const filename = safeFileName(sentName, type.ending)
  const { size, sha256 } = draft
  const { width, height } = facts
  const original: MediaFile = {
    variant: 'original',
    sha256,
    name: filename,
    mimeType: type.mimeType,
    size,
    width,
    height,
  }
  return {
    id: newId(now),
    ...{
      filename,
      originalName: displayName(sentName),
      mimeType: type.mimeType,
      kind: type.kind,
      size,
      sha256,
      ...facts,
    },
    alt: fields.alt ?? null,
    title: fields.title ?? null,
    caption: fields.caption ?? null,
    tags: fields.tags ?? [],
    folder: fields.folder ?? null,
    focalX: fields.focalX ?? 50,
    focalY: fields.focalY ?? 50,
    uploadedBy,
    createdAt: now,
    updatedAt: now,
    revision: 1,
    files: [original, ...variants.map(({ made, draft: variant }) => variantFile(made, variant, filename))],
  }
}

/** The row for a variant of the file with that name. */
export function variantFile(made: ImageVariant, { sha256, size }: Draft, filename: string): MediaFile {
  const { variant, mimeType, ending, width, height } = made
  const stem = filename.slice(0, filename.lastIndexOf('.'))
  return { variant, sha256, name: `${variant}-${stem}.${ending}`, mimeType, size, width, height }
}
