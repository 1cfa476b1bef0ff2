import { open, readFile } from 'node:fs/promises'
import type { IncomingFile, Upload } from '../../http/upload.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { faulty, Refusal } from '../../kernel/refusal.ts'
import { thread } from '../../kernel/thread.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import type { Draft } from '../../storage/blobs/drafts.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { endingOf, safeName, shownName } from './file-name.rules.ts'
import { headerBytesMax, readImageHeader } from './image-header.rules.ts'
import { BadImage, type Images, type MadeImage, pixelsMax } from './images.ts'
import type { Keeping, Kept } from './keeping.service.ts'
import type { MediaFields } from './media.schema.ts'
import { addMedia, findMediaBySha256, type Media, type MediaFile } from './media.store.ts'
import { bytesMaxOf, type MediaType, mismatchOf } from './media-type.rules.ts'
import { leadBytes, typeOf } from './media-type.ts'
import { isSvg } from './svg.rules.ts'
import type { CleanedSvg } from './svg.thread.ts'
import type { CleanSvg } from './svg-clean.ts'

export type UploadDeps = { clock: Clock; audit: Audit; blobs: Blobs; keeping: Keeping; images: Images }

/** A file as it was received: on disk, and known for what it is. */
type Received = { draft: Draft; type: MediaType; sentName: string }
/** What becomes of it: the bytes to keep, and what there is to say of them. */
type Prepared = Received & {
  facts: Pick<Media, 'width' | 'height' | 'hasAlpha' | 'placeholder'>
  variants: { made: MadeImage; draft: Draft }[]
  /** Its bytes were there when it came: nothing was made of them. */
  isKnown: boolean
}

const nothing = { width: null, height: null, hasAlpha: null, placeholder: null }

export type Stored = { media: Media; isNew: boolean }

export function uploadService({ clock, audit, blobs, keeping, images }: UploadDeps) {
  /** One file to disk, refused as soon as it is seen to be of no use. */
  const receive = async (file: IncomingFile, drafts: Draft[]): Promise<Received> => {
    const known = { type: null as MediaType | null }
    const draft = await blobs.drafts.write(checked(file, known))
    drafts.push(draft)
    return { draft, type: known.type as MediaType, sentName: file.filename }
  }

  const prepare = async (received: Received, fields: MediaFields, drafts: Draft[]): Promise<Prepared> => {
    const { draft, type } = received
    if (isSvg(type)) {
      const { text, width, height } = await cleanedSvg(draft.path)
      const clean = await blobs.drafts.write(inOne(Buffer.from(text)))
      drafts.push(clean)
      return {
        ...received,
        draft: clean,
        facts: { ...nothing, width, height, hasAlpha: true },
        variants: [],
        isKnown: false,
      }
    }
    if (type.kind !== 'image') return { ...received, facts: nothing, variants: [], isKnown: false }
    const header = await imageHeader(draft.path, type)
    const focal = { x: fields.focalX ?? 50, y: fields.focalY ?? 50 }
    const work = await images.work(draft.path, focal).catch(refuseBadImage)
    if (work === null) return { ...received, facts: { ...nothing, ...header }, variants: [], isKnown: false }
    const variants = []
    for (const made of work.variants) {
      const variant = await blobs.drafts.write(inOne(made.bytes))
      drafts.push(variant)
      variants.push({ made, draft: variant })
    }
    const { width, height, hasAlpha, placeholder } = work
    return { ...received, facts: { width, height, hasAlpha, placeholder }, variants, isKnown: false }
  }

  const store = (platform: PlatformScope, prepared: Prepared[], fields: MediaFields): Promise<Stored[]> =>
    transaction(platform, async (tx) => {
      await keeping.claim(tx, prepared.flatMap(keptOf))
      const stored: Stored[] = []
      for (const file of prepared) {
        // Whoever was faster with the same bytes has stored them: also this very request, when it holds them twice.
        const known = await findMediaBySha256(tx, file.draft.sha256)
        if (known !== null) {
          stored.push({ media: known, isNew: false })
          continue
        }
        if (file.isKnown) throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 }) // removed in this moment
        const media = mediaOf(file, fields, { now: clock.now(), uploadedBy: platform.caller.actor.label })
        await addMedia(tx, media)
        const { filename, mimeType, size, sha256 } = media
        await audit(tx, {
          action: 'media.upload',
          target: { type: 'media', id: media.id },
          changes: { filename, mimeType, size, sha256 },
        })
        stored.push({ media: { ...media, usedByCount: 0 }, isNew: true })
      }
      return stored
    })

  return {
    /**
     * Stores what is sent, all of it or nothing. Bytes that are there already are answered with what there is, so that
     * the same request may be sent again.
     */
    upload: async (platform: PlatformScope, upload: Upload<MediaFields>): Promise<Stored[]> => {
      const drafts: Draft[] = []
      const put: Kept[] = []
      try {
        const { fields, files } = await upload.receive((file) => receive(file, drafts))
        const prepared: Prepared[] = []
        for (const file of files) {
          const known = await findMediaBySha256(platform, file.draft.sha256)
          // Its variants are there, too: `store` finds it again.
          prepared.push(
            known === null
              ? await prepare(file, fields, drafts)
              : { ...file, facts: nothing, variants: [], isKnown: true },
          )
        }
        put.push(...prepared.flatMap(keptOf))
        await keeping.put(put)
        return await store(platform, prepared, fields)
      } catch (error) {
        await keeping.tidy(
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

/** Lets the bytes through, once they are seen to be something that is taken, and while they are not too many. */
async function* checked(file: IncomingFile, known: { type: MediaType | null }): AsyncGenerator<Buffer> {
  const ending = endingOf(file.filename)
  const start: Buffer[] = []
  let size = 0
  for await (const chunk of file.bytes as AsyncIterable<Buffer>) {
    size += chunk.length
    if (known.type === null) start.push(chunk)
    if (known.type === null && size >= leadBytes) known.type = await judged(Buffer.concat(start), ending, file)
    if (size > bytesMaxOf(known.type)) throw tooLarge(known.type)
    yield chunk
  }
  if (size === 0) throw faulty('/body/file', { code: 'empty', message: 'is empty' })
  known.type ??= await judged(Buffer.concat(start), ending, file)
  if (size > bytesMaxOf(known.type)) throw tooLarge(known.type)
}

async function judged(start: Buffer, ending: string, file: IncomingFile): Promise<MediaType> {
  const type = await typeOf(start.subarray(0, leadBytes), ending)
  const name = shownName(file.filename).slice(0, 80)
  if (type === null)
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', {
      detail: `${name} is no file of a type that is taken here: images, video, audio, PDF, text, archives and installers.`,
    })
  const mismatch = mismatchOf(type, ending, file.contentType)
  if (mismatch !== null)
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', { detail: `${name} is not what it says: ${mismatch}.` })
  return type
}

function tooLarge(type: MediaType | null): Refusal {
  const limit = bytesMaxOf(type) / 1024 / 1024
  return new Refusal('BODY_TOO_LARGE', { detail: `A file of this type has at most ${limit} MiB.` })
}

async function imageHeader(
  path: string,
  type: MediaType,
): Promise<{ width: number; height: number; hasAlpha: boolean | null }> {
  const file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytesMax)).finally(() => file.close())
  const header = readImageHeader(type.mimeType, buffer.subarray(0, bytesRead))
  if (header === null) throw badImage()
  if (header.width * header.height > pixelsMax) {
    const message = `has ${header.width} x ${header.height} pixels, and may have ${pixelsMax / 1_000_000} million`
    throw faulty('/body/file', { code: 'pixels', message })
  }
  return header
}

function badImage(): Refusal {
  return faulty('/body/file', { code: 'image', message: 'cannot be read as the image that it begins as' })
}

function refuseBadImage(error: unknown): never {
  throw error instanceof BadImage ? badImage() : error
}

// The one thread of the process: a drawing of 2 MiB takes seconds.
const cleanInThread = thread<string, CleanedSvg>({
  entry: new URL('./svg.thread.ts', import.meta.url),
  durationMsMax: 20_000,
  waitingMax: 20,
  tooMuch: '/body/file takes too long to be read as an SVG.',
})

async function cleanedSvg(path: string): Promise<CleanSvg> {
  const cleaned = await cleanInThread(utf8Of(await readFile(path)))
  if ('problem' in cleaned) throw faulty('/body/file', { code: 'svg', message: cleaned.problem })
  return cleaned
}

function utf8Of(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw faulty('/body/file', { code: 'svg', message: 'is not in UTF-8' })
  }
}

function keptOf({ draft, type, variants }: Prepared): Kept[] {
  return [
    { draft, contentType: type.mimeType },
    ...variants.map(({ made, draft: variant }) => ({ draft: variant, contentType: made.mimeType })),
  ]
}

function mediaOf(
  { draft, type, sentName, facts, variants }: Prepared,
  fields: MediaFields,
  { now, uploadedBy }: { now: Date; uploadedBy: string },
): Omit<Media, 'usedByCount'> {
  const filename = safeName(sentName, type.ending)
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
      originalName: shownName(sentName),
      mimeType: type.mimeType,
      kind: type.kind,
      size,
      sha256,
      ...facts,
    },
    ...{ alt: fields.alt ?? null, title: fields.title ?? null, caption: fields.caption ?? null },
    ...{ tags: fields.tags ?? [], folder: fields.folder ?? null },
    ...{ focalX: fields.focalX ?? 50, focalY: fields.focalY ?? 50, uploadedBy },
    ...{ createdAt: now, updatedAt: now, revision: 1 },
    files: [original, ...variants.map(({ made, draft: variant }) => fileOf(made, variant, filename))],
  }
}

/** The row of a variant of the file of that name. */
export function fileOf(made: MadeImage, { sha256, size }: Draft, filename: string): MediaFile {
  const { variant, mimeType, ending, width, height } = made
  const stem = filename.slice(0, filename.lastIndexOf('.'))
  return { variant, sha256, name: `${variant}-${stem}.${ending}`, mimeType, size, width, height }
}

/** A generator, as a file is written from. */
export async function* inOne(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
