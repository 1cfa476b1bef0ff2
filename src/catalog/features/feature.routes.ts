import type { Route } from '../../http/route.ts'
import type { Stored } from '../records/record.rules.ts'
import { type RecordDeps, type RecordKind, recordService } from '../records/record.service.ts'
import { changeDescription, recordRoutes } from '../revised/revised.routes.ts'
import { type FeatureFields, featureDefaults, slugFromTitle } from './feature.rules.ts'
import { FeatureAnswer, FeatureChange, NewFeature } from './feature.schema.ts'
import { featureStore } from './feature.store.ts'

export const featureKind: RecordKind<FeatureFields, FeatureChange> = {
  noun: 'feature',
  store: featureStore,
  unique: 'slug',
  read: (sent, before, attempt) => {
    const { title, description, icon, group, isHighlighted, availability } = before ?? { title: '', ...featureDefaults }
    const newTitle = sent.title ?? title
    return {
      slug: sent.slug ?? before?.slug ?? slugFromTitle(newTitle, attempt),
      title: newTitle,
      description: sent.description === undefined ? description : (sent.description ?? ''),
      icon: sent.icon === undefined ? icon : sent.icon,
      group: sent.group === undefined ? group : sent.group,
      isHighlighted: sent.isHighlighted ?? isHighlighted,
      availability: sent.availability === undefined ? availability : (sent.availability ?? {}),
    }
  },
}

export function featureRoutes(deps: RecordDeps): Route[] {
  return recordRoutes({
    words: {
      ...{ path: 'features', one: 'feature', many: 'features', title: 'feature' },
      ...{ operation: 'ProductFeature', operations: 'ProductFeatures' },
    },
    schemas: { new: NewFeature, change: FeatureChange, line: FeatureAnswer, whole: FeatureAnswer },
    descriptions: { update: changeDescription },
    refusals: ['SLUG_TAKEN', 'STATE_CONFLICT'],
    service: recordService(featureKind, deps),
    lineOf: async (_, features) => features.map(featureView),
    wholeOf: async (_, feature) => featureView(feature),
  })
}

/** A feature as the catalog shows it. */
export function featureView(feature: Stored<FeatureFields>): FeatureAnswer {
  const { productId: _, revision, createdAt, updatedAt, ...shown } = feature
  return { ...shown, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}
