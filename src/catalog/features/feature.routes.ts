import type { Route } from '../../http/route.ts'
import { orderedChangeDescription, productChildRoutes } from '../product-child/product-child.routes.ts'
import type { ProductChildDeps } from '../product-child/product-child.service.ts'
import { publicChildView } from '../product-child/product-child.view.ts'
import { FeatureAnswer, FeatureChange, NewFeature } from './feature.schema.ts'
import { featureService } from './feature.service.ts'

export function featureRoutes(deps: ProductChildDeps): Route[] {
  return productChildRoutes({
    names: {
      path: 'features',
      one: 'feature',
      many: 'features',
      operation: 'ProductFeature',
      operations: 'ProductFeatures',
      title: 'feature',
    },
    schemas: { new: NewFeature, change: FeatureChange, line: FeatureAnswer, child: FeatureAnswer },
    descriptions: { update: orderedChangeDescription },
    refusals: ['SLUG_TAKEN', 'STATE_CONFLICT'],
    service: featureService(deps),
    lineViews: async (_, features) => features.map(publicChildView),
    view: async (_, feature) => publicChildView(feature),
  })
}
