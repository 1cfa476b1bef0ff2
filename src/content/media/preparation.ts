import { open, readFile } from 'node:fs/promises'
import type { IncomingFile } from '../../http/uploads/upload.ts'
import { invalidField, Refusal } from '../../kernel/refusal.ts'
import { workerPool } from '../../kernel/worker-pool.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import type { Draft } from '../../storage/blobs/drafts.ts'
import { endingOf, shownName } from './file-name.rules.ts'
import { headerBytesMax, readImageHeader } from './image-header.rules.ts'
import { BadImage, type Images, type MadeImage, pixelsMax } from './images.ts'
import type { MediaFields } from './media.schema.ts'
import type { Media } from './media.store.ts'
import { bytesMaxOf, type MediaType, mismatchOf } from './media-type.rules.ts'
import { leadBytes, typeOf } from './media-type.ts'
import { isSvg } from './svg.rules.ts'
import type { CleanedSvg } from './svg.thread.ts'
import type { CleanSvg } from './svg-clean.ts'

/** A file as it was received: on disk, and known for what it is. */
export type Received = { draft: Draft; type: MediaType; sentName: string }
/** What becomes of it: the bytes to keep, and what there is to say of them. */
export type Prepared = Received & {
  facts: Pick<Media, 'width' | 'height' | 'hasAlpha' | 'placeholder'>
  variants: { made: MadeImage; draft: Draft }[]
  /** Its bytes were there when it came: nothing was made of them. */
  isKnown: boolean
}

export const nothing = { width: null, height: null, hasAlpha: null, placeholder: null }

const asItIs = { facts: nothing, variants: [], isKnown: false }

/** Each draft is added to `drafts` when it is made, for whoever has to remove them. */
export type Preparing = { fields: MediaFields; drafts: Draft[] }

/** What happens to a file before it is stored. */
export function preparation({ blobs, images }: { blobs: Blobs; images: Images }) {
  /** One file to disk, refused as soon as it is seen to be of no use. */
  const receive = async (file: IncomingFile, drafts: Draft[]): Promise<Received> => {
    const known = { type: null as MediaType | null }
    const draft = await blobs.drafts.write(checked(file, known))
    drafts.push(draft)
    return { draft, type: known.type as MediaType, sentName: file.filename }
  }

  const prepare = async (received: Received, preparing: Preparing): Promise<Prepared> => {
    if (isSvg(received.type)) return prepareSvg(received, preparing)
    if (received.type.kind === 'image') return prepareImage(received, preparing)
    return { ...received, ...asItIs }
  }

  const prepareSvg = async (received: Received, { drafts }: Preparing): Promise<Prepared> => {
    const { text, width, height } = await cleanedSvg(received.draft.path)
    const draft = await blobs.drafts.write(inOne(Buffer.from(text)))
    drafts.push(draft)
    return { ...received, ...asItIs, draft, facts: { ...nothing, width, height, hasAlpha: true } }
  }

  const prepareImage = async (received: Received, { fields, drafts }: Preparing): Promise<Prepared> => {
    const { draft, type } = received
    const header = await imageHeader(draft.path, type)
    const focal = { x: fields.focalX ?? 50, y: fields.focalY ?? 50 }
    const work = await images.work(draft.path, focal).catch(refuseBadImage)
    if (work === null) return { ...received, ...asItIs, facts: { ...nothing, ...header } }
    const variants = []
    for (const made of work.variants) {
      const variant = await blobs.drafts.write(inOne(made.bytes))
      drafts.push(variant)
      variants.push({ made, draft: variant })
    }
    const { width, height, hasAlpha, placeholder } = work
    return { ...received, ...asItIs, facts: { width, height, hasAlpha, placeholder }, variants }
  }

  return { receive, prepare }
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
  if (size === 0) throw invalidField('/body/file', { code: 'empty', message: 'is empty' })
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
    throw invalidField('/body/file', { code: 'pixels', message })
  }
  return header
}

function badImage(): Refusal {
  return invalidField('/body/file', { code: 'image', message: 'cannot be read as the image that it begins as' })
}

function refuseBadImage(error: unknown): never {
  throw error instanceof BadImage ? badImage() : error
}

// The process has one thread for this: a drawing of 2 MiB takes seconds.
const svgWorker = workerPool<string, CleanedSvg>({
  entry: new URL('./svg.thread.ts', import.meta.url),
  timeoutMs: 20_000,
  queueMax: 20,
  overLimit: () => new Refusal('VALIDATION_ERROR', { detail: '/body/file takes too long to be read as an SVG.' }),
})

async function cleanedSvg(path: string): Promise<CleanSvg> {
  const cleaned = await svgWorker.run(utf8Of(await readFile(path)))
  if ('problem' in cleaned) throw invalidField('/body/file', { code: 'svg', message: cleaned.problem })
  return cleaned
}

function utf8Of(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalidField('/body/file', { code: 'svg', message: 'is not in UTF-8' })
  }
}

/** A generator, as a file is written from. */
export async function* inOne(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
