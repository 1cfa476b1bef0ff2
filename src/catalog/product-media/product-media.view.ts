import type { MediaSummary } from '../../content/index.ts'
import type { Ordered, ProductChild } from '../product-child/product-child.rules.ts'
import { publicChildView } from '../product-child/product-child.view.ts'
import type { ProductMediaFields } from './product-media.rules.ts'
import type { Picture, ProductMediaAnswer } from './product-media.schema.ts'

/** The ids of the uploaded files that the records show, without repeats. */
export function usedMediaIds(records: ProductMediaFields[]): string[] {
  const ids = records.flatMap(({ mediaId, posterMediaId }) => [mediaId, posterMediaId])
  return [...new Set(ids.filter((id) => id !== null))]
}

/** A picture or film as the catalog shows it. A file that was removed has no address. */
export function productMediaView(
  record: ProductChild<Ordered<ProductMediaFields>>,
  files: Map<string, MediaSummary>,
): ProductMediaAnswer {
  const file = files.get(record.mediaId ?? '')
  return {
    ...publicChildView(record),
    url: record.url ?? file?.url ?? null,
    posterUrl: files.get(record.posterMediaId ?? '')?.url ?? null,
    width: file?.width ?? null,
    height: file?.height ?? null,
    variants: file?.variants ?? {},
  }
}

export function pictureView(file: MediaSummary | undefined): Picture | null {
  if (file === undefined) return null
  const { id, url, mimeType, width, height, alt, variants } = file
  return { id, url, mimeType, width, height, alt, variants }
}
