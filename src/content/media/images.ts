import type SharpModule from 'sharp'
import { concurrencyLimit } from '../../kernel/concurrency-limit.ts'
import { cropAround } from './image-header.rules.ts'

export type Focal = { x: number; y: number }
/** An image made from another one. */
export type ImageVariant = {
  variant: string
  bytes: Buffer
  mimeType: string
  ending: string
  width: number
  height: number
}
export type ImageWork = {
  /** As displayed: rotated as its EXIF data says. */
  width: number
  height: number
  hasAlpha: boolean
  placeholder: string
  variants: ImageVariant[]
}

/** A decoded pixel takes four bytes: 160 MB, for one image at a time. */
export const pixelsMax = 40_000_000

export const ogSize = { width: 1200, height: 630 }
const widths = { lg: 1920, md: 960, sm: 480, thumb: 160 }
const placeholderWidth = 16
// An image may be a long strip, so its height is bounded, too (WebP ends at 16,383).
const heightPerWidth = 4
const secondsMax = 30
const waitingMax = 20

/** The bytes cannot be decoded as an image. */
export class BadImage extends Error {}

export type Images = ReturnType<typeof imageTools>

/**
 * Makes variants of images. The library is optional and loaded with the first image. Without it `work` and `og` are null
 * and there are only originals. Works on one image at a time, to leave processor time for requests.
 */
export function imageTools(load: () => Promise<{ default: typeof SharpModule }> = () => import('sharp')) {
  const takeTurn = concurrencyLimit(1, waitingMax)
  let loading: Promise<typeof SharpModule | null> | null = null
  const library = () => {
    loading ??= load().then(
      ({ default: sharp }) => {
        sharp.cache(false)
        sharp.concurrency(1)
        return sharp
      },
      () => null,
    )
    return loading
  }
  const oneAtATime = async <T>(work: (sharp: typeof SharpModule) => Promise<T>): Promise<T | null> => {
    const sharp = await library()
    if (sharp === null) return null
    return takeTurn(() =>
      work(sharp).catch((error) => {
        throw new BadImage(String(error))
      }),
    )
  }
  return {
    /** Throws BadImage for an image that cannot be decoded; refuses with UNAVAILABLE when too many images wait. */
    work: (path: string, focal: Focal): Promise<ImageWork | null> =>
      oneAtATime((sharp) => makeVariants(sharp, path, focal)),
    /** Only the image for link previews. */
    og: (path: string, focal: Focal): Promise<ImageVariant | null> =>
      oneAtATime(async (sharp) => ogVariant(sharp, path, { focal, ...(await displaySize(sharp, path)) })),
  }
}

function openImage(sharp: typeof SharpModule, input: string | Buffer) {
  return sharp(input, { limitInputPixels: pixelsMax, failOn: 'error', sequentialRead: true }).timeout({
    seconds: secondsMax,
  })
}

async function displaySize(sharp: typeof SharpModule, path: string) {
  const { width, height, orientation = 1, hasAlpha } = await openImage(sharp, path).metadata()
  return { ...(orientation >= 5 ? { width: height, height: width } : { width, height }), hasAlpha }
}

async function makeVariants(sharp: typeof SharpModule, path: string, focal: Focal): Promise<ImageWork> {
  const size = await displaySize(sharp, path)
  const variants: ImageVariant[] = []
  // Each is made from the previous one, so the original is decoded only once.
  let source: string | Buffer = path
  for (const [variant, width] of Object.entries(widths)) {
    const made = await scaledVariants(sharp, source, { variant, width })
    variants.unshift(made)
    source = made.bytes
  }
  const tiny = await scaledVariants(sharp, source, { variant: 'placeholder', width: placeholderWidth, quality: 30 })
  variants.push(await ogVariant(sharp, path, { ...size, focal }))
  return { ...size, variants, placeholder: `data:image/webp;base64,${tiny.bytes.toString('base64')}` }
}

type Scaling = { variant: string; width: number; quality?: number }

async function scaledVariants(
  sharp: typeof SharpModule,
  input: string | Buffer,
  { variant, width, quality = 82 }: Scaling,
): Promise<ImageVariant> {
  const { data, info } = await openImage(sharp, input)
    .autoOrient()
    .resize({ width, height: width * heightPerWidth, fit: 'inside', withoutEnlargement: true })
    .webp({ quality })
    .toBuffer({ resolveWithObject: true })
  return { variant, bytes: data, mimeType: 'image/webp', ending: 'webp', width: info.width, height: info.height }
}

async function ogVariant(
  sharp: typeof SharpModule,
  path: string,
  { focal, ...size }: { width: number; height: number; focal: Focal },
): Promise<ImageVariant> {
  const { data, info } = await openImage(sharp, path)
    .autoOrient()
    .extract(cropAround(size, focal, ogSize))
    .resize({ ...ogSize, fit: 'fill', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 82 })
    .toBuffer({ resolveWithObject: true })
  return { variant: 'og', bytes: data, mimeType: 'image/jpeg', ending: 'jpg', width: info.width, height: info.height }
}
