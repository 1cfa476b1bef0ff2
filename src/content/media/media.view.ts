import type { MediaAnswer } from './media.schema.ts'
import type { Media, MediaFile } from './media.store.ts'
import { hashLength } from './media-address.rules.ts'
import type { MediaLine } from './media-library.ts'

function urlOf({ sha256, name }: Pick<MediaFile, 'sha256' | 'name'>): string {
  return `/media/${sha256.slice(0, hashLength)}/${encodeURIComponent(name)}`
}

/** As administrators see it. */
export function viewOf(media: Media): MediaAnswer {
  const { files, createdAt, updatedAt, ...rest } = media
  return {
    ...rest,
    url: urlOf({ sha256: media.sha256, name: media.filename }),
    variants: variantsOf(files),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

/** As others show it. */
export function lineOf(media: Media): MediaLine {
  const { id, filename, mimeType, kind, size, sha256, width, height, alt, files } = media
  const url = urlOf({ sha256, name: filename })
  return { id, filename, mimeType, kind, size, sha256, width, height, alt, url, variants: variantsOf(files) }
}

function variantsOf(files: MediaFile[]): MediaLine['variants'] {
  const scaled = files.filter(({ variant }) => variant !== 'original')
  return Object.fromEntries(
    scaled.map((file) => {
      const { variant, mimeType, size, width, height } = file
      return [variant, { url: urlOf(file), width: width ?? 0, height: height ?? 0, size, mimeType }]
    }),
  )
}
