import type { MediaLibrary } from '../../content/index.ts'
import type { Route } from '../../http/route.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { orderedChangeDescription, productChildRoutes } from '../product-child/product-child.routes.ts'
import type { Ordered, ProductChild } from '../product-child/product-child.rules.ts'
import type { ProductMediaFields } from './product-media.rules.ts'
import { NewProductMedia, ProductMediaAnswer, ProductMediaChange } from './product-media.schema.ts'
import { type ProductMediaDeps, productMediaService } from './product-media.service.ts'
import { productMediaView, usedMediaIds } from './product-media.view.ts'

export function productMediaRoutes(deps: ProductMediaDeps, media: MediaLibrary): Route[] {
  const lineViews = async (scope: PlatformScope, records: ProductChild<Ordered<ProductMediaFields>>[]) => {
    const files = await media.find(scope, usedMediaIds(records))
    return records.map((record) => productMediaView(record, files))
  }
  return productChildRoutes({
    names: {
      path: 'media',
      one: 'media',
      many: 'media',
      operation: 'ProductMedia',
      operations: 'ProductMedia',
      title: 'picture or film',
      titles: 'pictures and films',
    },
    schemas: { new: NewProductMedia, change: ProductMediaChange, line: ProductMediaAnswer, child: ProductMediaAnswer },
    descriptions: {
      create: 'An uploaded file by its `mediaId`, or an address elsewhere.',
      update: orderedChangeDescription,
    },
    refusals: ['STATE_CONFLICT'],
    service: productMediaService(deps),
    lineViews,
    view: async (platform, record) => (await lineViews(platform, [record]))[0],
  })
}
