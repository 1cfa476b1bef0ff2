import type SharpModule from 'sharp'
import { concurrencyLimit } from '../../kernel/concurrency-limit.ts'
import { cropAt } from './image-header.rules.ts'

export type Focal = { x: number; y: number }
/** A picture made from another one. */
export type MadeImage = {
  variant: string
  bytes: Buffer
  mimeType: string
  ending: string
  width: number
  height: number
}
export type ImageWork = {
  /** As it is shown: turned as its EXIF data says. */
  width: number
  height: number
  hasAlpha: boolean
  placeholder: string
  variants: MadeImage[]
}

/** Decoded, a pixel is four bytes: 160 MB, and one image at a time. */
export const pixelsMax = 40_000_000

export const ogSize = { width: 1200, height: 630 }
const widths = { lg: 1920, md: 960, sm: 480, thumb: 160 }
const placeholderWidth = 16
// A picture may be a long strip: its height is bounded, too (WebP ends at 16,383).
const heightPerWidth = 4
const secondsMax = 30
const waitingMax = 20

/** The bytes are no image that can be read to its end. */
export class BadImage extends Error {}

export type Images = ReturnType<typeof imageTools>

/**
 * Variants of images. The library is optional and loaded at the first image: where it is absent `work` and `og` are
 * null, and originals are all there is. One image at a time, so that uploads leave requests their processor.
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
  const inTurn = async <T>(work: (sharp: typeof SharpModule) => Promise<T>): Promise<T | null> => {
    const sharp = await library()
    if (sharp === null) return null
    return takeTurn(() =>
      work(sharp).catch((error) => {
        throw new BadImage(String(error))
      }),
    )
  }
  return {
    /** Refuses with BadImage what cannot be decoded, and with UNAVAILABLE when too many images wait. */
    work: (path: string, focal: Focal): Promise<ImageWork | null> => inTurn((sharp) => workOn(sharp, path, focal)),
    /** The picture for link previews alone. */
    og: (path: string, focal: Focal): Promise<MadeImage | null> =>
      inTurn(async (sharp) => ogOf(sharp, path, { focal, ...(await shownSize(sharp, path)) })),
  }
}

function opened(sharp: typeof SharpModule, input: string | Buffer) {
  return sharp(input, { limitInputPixels: pixelsMax, failOn: 'error', sequentialRead: true }).timeout({
    seconds: secondsMax,
  })
}

async function shownSize(sharp: typeof SharpModule, path: string) {
  const { width, height, orientation = 1, hasAlpha } = await opened(sharp, path).metadata()
  return { ...(orientation >= 5 ? { width: height, height: width } : { width, height }), hasAlpha }
}

async function workOn(sharp: typeof SharpModule, path: string, focal: Focal): Promise<ImageWork> {
  const size = await shownSize(sharp, path)
  const variants: MadeImage[] = []
  // Each from the one before: the original is decoded once for all of them.
  let source: string | Buffer = path
  for (const [variant, width] of Object.entries(widths)) {
    const made = await scaled(sharp, source, { variant, width })
    variants.unshift(made)
    source = made.bytes
  }
  const tiny = await scaled(sharp, source, { variant: 'placeholder', width: placeholderWidth, quality: 30 })
  variants.push(await ogOf(sharp, path, { ...size, focal }))
  return { ...size, variants, placeholder: `data:image/webp;base64,${tiny.bytes.toString('base64')}` }
}

type Scaling = { variant: string; width: number; quality?: number }

async function scaled(
  sharp: typeof SharpModule,
  input: string | Buffer,
  { variant, width, quality = 82 }: Scaling,
): Promise<MadeImage> {
  const { data, info } = await opened(sharp, input)
    .autoOrient()
    .resize({ width, height: width * heightPerWidth, fit: 'inside', withoutEnlargement: true })
    .webp({ quality })
    .toBuffer({ resolveWithObject: true })
  return { variant, bytes: data, mimeType: 'image/webp', ending: 'webp', width: info.width, height: info.height }
}

async function ogOf(
  sharp: typeof SharpModule,
  path: string,
  { focal, ...size }: { width: number; height: number; focal: Focal },
): Promise<MadeImage> {
  const { data, info } = await opened(sharp, path)
    .autoOrient()
    .extract(cropAt(size, focal, ogSize))
    .resize({ ...ogSize, fit: 'fill', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 82 })
    .toBuffer({ resolveWithObject: true })
  return { variant: 'og', bytes: data, mimeType: 'image/jpeg', ending: 'jpg', width: info.width, height: info.height }
}
