import type { MediaAnswer } from './media.schema.ts'
import type { Media, MediaFile } from './media.store.ts'
import { hashLength } from './media-address.rules.ts'
import type { MediaSummary } from './media-library.ts'

function fileUrl({ sha256, name }: Pick<MediaFile, 'sha256' | 'name'>): string {
  return `/media/${sha256.slice(0, hashLength)}/${encodeURIComponent(name)}`
}

/** For administrators. */
export function mediaView(media: Media): MediaAnswer {
  const { files, createdAt, updatedAt, ...rest } = media
  return {
    ...rest,
    url: fileUrl({ sha256: media.sha256, name: media.filename }),
    variants: variantViews(files),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

/** For those who show the file. */
export function mediaSummary(media: Media): MediaSummary {
  const { id, filename, mimeType, kind, size, sha256, width, height, alt, files } = media
  const url = fileUrl({ sha256, name: filename })
  return { id, filename, mimeType, kind, size, sha256, width, height, alt, url, variants: variantViews(files) }
}

function variantViews(files: MediaFile[]): MediaSummary['variants'] {
  const scaled = files.filter(({ variant }) => variant !== 'original')
  return Object.fromEntries(
    scaled.map((file) => {
      const { variant, mimeType, size, width, height } = file
      return [variant, { url: fileUrl(file), width: width ?? 0, height: height ?? 0, size, mimeType }]
    }),
  )
}
