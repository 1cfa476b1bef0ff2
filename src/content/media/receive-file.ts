import { open, readFile } from 'node:fs/promises'
import { displayName, fileExtension } from '../../http/uploads/file-name.rules.ts'
import type { IncomingFile } from '../../http/uploads/upload.ts'
import { invalidField, Refusal } from '../../kernel/refusal.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import type { Draft } from '../../storage/blobs/drafts.ts'
import { workerPool } from '../../workers/worker-pool.ts'
import { detectType, leadBytes } from './detect-type.ts'
import { headerBytesMax, readImageHeader } from './image-header.rules.ts'
import { BadImage, type Images, type ImageVariant, pixelsMax } from './images.ts'
import type { MediaFields } from './media.schema.ts'
import type { Media } from './media.store.ts'
import { acceptedMimeTypes, type MediaType, sizeLimit, typeMismatch } from './media-type.rules.ts'
import { isSvg } from './svg.rules.ts'
import type { CleanedSvg } from './svg.worker.ts'
import type { CleanSvg } from './svg-clean.ts'

/** A received file: on disk, with its detected type. */
export type Received = { draft: Draft; type: MediaType; sentName: string }
/** A prepared file: the bytes to store and their properties. */
export type Prepared = Received & {
  facts: Pick<Media, 'width' | 'height' | 'hasAlpha' | 'placeholder'>
  variants: { made: ImageVariant; draft: Draft }[]
  /** The bytes were stored before, so no variants were made. */
  isKnown: boolean
}

export const noImageData = { width: null, height: null, hasAlpha: null, placeholder: null }

const asItIs = { facts: noImageData, variants: [], isKnown: false }

/** Every new draft is added to `drafts`, so that the caller can remove it. */
export type PreparationContext = { fields: MediaFields; drafts: Draft[] }

/** Receives and prepares files before they are stored. */
export function fileReceiver({ blobs, images }: { blobs: Blobs; images: Images }) {
  /** Writes one file to disk; refuses it as early as possible. */
  const receive = async (file: IncomingFile, drafts: Draft[]): Promise<Received> => {
    const known = { type: null as MediaType | null }
    const draft = await blobs.drafts.write(checked(file, known))
    drafts.push(draft)
    return { draft, type: known.type as MediaType, sentName: file.filename }
  }

  const prepare = async (received: Received, preparing: PreparationContext): Promise<Prepared> => {
    if (isSvg(received.type)) return prepareSvg(received, preparing)
    if (received.type.kind === 'image') return prepareImage(received, preparing)
    return { ...received, ...asItIs }
  }

  const prepareSvg = async (received: Received, { drafts }: PreparationContext): Promise<Prepared> => {
    const { text, width, height } = await cleanedSvg(received.draft.path)
    const draft = await blobs.drafts.write(inOne(Buffer.from(text)))
    drafts.push(draft)
    return { ...received, ...asItIs, draft, facts: { ...noImageData, width, height, hasAlpha: true } }
  }

  const prepareImage = async (received: Received, { fields, drafts }: PreparationContext): Promise<Prepared> => {
    const { draft, type } = received
    const header = await imageHeader(draft.path, type)
    const focal = { x: fields.focalX ?? 50, y: fields.focalY ?? 50 }
    const work = await images.work(draft.path, focal).catch(refuseBadImage)
    if (work === null) return { ...received, ...asItIs, facts: { ...noImageData, ...header } }
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

/** Passes the bytes on after checking their type, and enforces the size limit. */
async function* checked(file: IncomingFile, known: { type: MediaType | null }): AsyncGenerator<Buffer> {
  const ending = fileExtension(file.filename)
  const start: Buffer[] = []
  let size = 0
  for await (const chunk of file.bytes as AsyncIterable<Buffer>) {
    size += chunk.length
    if (known.type === null) start.push(chunk)
    if (known.type === null && size >= leadBytes)
      known.type = await requireKnownType(Buffer.concat(start), ending, file)
    if (size > sizeLimit(known.type)) throw tooLarge(known.type)
    yield chunk
  }
  if (size === 0) throw invalidField('/body/file', { code: 'empty', message: 'is empty' })
  known.type ??= await requireKnownType(Buffer.concat(start), ending, file)
  if (size > sizeLimit(known.type)) throw tooLarge(known.type)
}

async function requireKnownType(start: Buffer, ending: string, file: IncomingFile): Promise<MediaType> {
  const type = await detectType(start.subarray(0, leadBytes), ending)
  const name = displayName(file.filename).slice(0, 80)
  if (type === null)
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', {
      detail: `${name} has a type that is not accepted. Accepted are ${acceptedMimeTypes}.`,
    })
  const mismatch = typeMismatch(type, ending, file.contentType)
  if (mismatch !== null)
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', {
      detail: `The content of ${name} does not match its name or type: ${mismatch}.`,
    })
  return type
}

function tooLarge(type: MediaType | null): Refusal {
  const limit = sizeLimit(type) / 1024 / 1024
  return new Refusal('BODY_TOO_LARGE', { detail: `A file of this type can have at most ${limit} MiB.` })
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
  return invalidField('/body/file', { code: 'image', message: 'starts like an image but cannot be decoded' })
}

function refuseBadImage(error: unknown): never {
  throw error instanceof BadImage ? badImage() : error
}

// One worker for the whole service: cleaning an SVG of 2 MiB takes seconds.
const svgWorker = workerPool<string, CleanedSvg>({
  entry: new URL('./svg.worker.ts', import.meta.url),
  timeoutMs: 20_000,
  queueMax: 20,
  overLimit: () => new Refusal('VALIDATION_ERROR', { detail: '/body/file takes too long to be read as an SVG.' }),
})

async function cleanedSvg(path: string): Promise<CleanSvg> {
  const cleaned = await svgWorker.run(decodeUtf8(await readFile(path)))
  if ('problem' in cleaned) throw invalidField('/body/file', { code: 'svg', message: cleaned.problem })
  return cleaned
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalidField('/body/file', { code: 'svg', message: 'is not valid UTF-8' })
  }
}

/** As a generator, from which a file can be written. */
export async function* inOne(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
