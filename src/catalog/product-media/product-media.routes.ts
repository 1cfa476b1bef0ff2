import type { MediaLibrary, MediaLine } from '../../content/index.ts'
import type { Route } from '../../http/route.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { Stored } from '../records/record.rules.ts'
import { type RecordDeps, type RecordKind, recordService } from '../records/record.service.ts'
import { changeDescription, recordRoutes } from '../revised/revised.routes.ts'
import { type ProductMediaFields, productMediaDefaults, refuseIncompleteMedia } from './product-media.rules.ts'
import { NewProductMedia, type Picture, ProductMediaAnswer, ProductMediaChange } from './product-media.schema.ts'
import { productMediaStore } from './product-media.store.ts'

export const productMediaKind: RecordKind<ProductMediaFields, ProductMediaChange> = {
  noun: 'media',
  store: productMediaStore,
  unique: null,
  read: (sent, before) => {
    const kept: ProductMediaFields = before ?? { kind: 'SCREENSHOT', ...productMediaDefaults }
    const terms = {
      kind: sent.kind ?? kept.kind,
      mediaId: sent.mediaId === undefined ? kept.mediaId : sent.mediaId,
      url: sent.url === undefined ? kept.url : sent.url,
      alt: sent.alt === undefined ? kept.alt : sent.alt,
      caption: sent.caption === undefined ? kept.caption : sent.caption,
      posterMediaId: sent.posterMediaId === undefined ? kept.posterMediaId : sent.posterMediaId,
    }
    refuseIncompleteMedia(terms)
    return terms
  },
}

export function productMediaRoutes(deps: RecordDeps, media: MediaLibrary): Route[] {
  const views = async (scope: PlatformScope, records: Stored<ProductMediaFields>[]) => {
    const lines = await media.find(scope, mediaIdsOf(records))
    return records.map((record) => productMediaView(record, lines))
  }
  return recordRoutes({
    words: {
      ...{ path: 'media', one: 'media', many: 'media', title: 'picture or film', titles: 'pictures and films' },
      ...{ operation: 'ProductMedia', operations: 'ProductMedia' },
    },
    schemas: { new: NewProductMedia, change: ProductMediaChange, line: ProductMediaAnswer, whole: ProductMediaAnswer },
    descriptions: {
      create: 'An uploaded file by its `mediaId`, or an address elsewhere.',
      update: changeDescription,
    },
    refusals: ['STATE_CONFLICT'],
    service: recordService(productMediaKind, deps),
    lineOf: views,
    wholeOf: async (platform, record) => (await views(platform, [record]))[0],
  })
}

/** The uploaded files that the records show. */
export function mediaIdsOf(records: ProductMediaFields[]): string[] {
  const ids = records.flatMap(({ mediaId, posterMediaId }) => [mediaId, posterMediaId])
  return [...new Set(ids.filter((id) => id !== null))]
}

/** A picture or film as the catalog shows it. A file that is gone has no address. */
export function productMediaView(
  record: Stored<ProductMediaFields>,
  lines: Map<string, MediaLine>,
): ProductMediaAnswer {
  const { productId: _, revision, createdAt, updatedAt, ...shown } = record
  const file = lines.get(record.mediaId ?? '')
  return {
    ...shown,
    url: record.url ?? file?.url ?? null,
    posterUrl: lines.get(record.posterMediaId ?? '')?.url ?? null,
    width: file?.width ?? null,
    height: file?.height ?? null,
    variants: file?.variants ?? {},
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

export function pictureView(file: MediaLine | undefined): Picture | null {
  if (file === undefined) return null
  const { id, url, mimeType, width, height, alt, variants } = file
  return { id, url, mimeType, width, height, alt, variants }
}
