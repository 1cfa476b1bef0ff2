import type { Route } from '../../http/route.ts'
import { recordRoutes } from '../records/record.routes.ts'
import type { Stored } from '../records/record.rules.ts'
import { type RecordDeps, type RecordKind, recordService } from '../records/record.service.ts'
import { type FeatureTerms, plainFeature, slugOf } from './feature.rules.ts'
import { FeatureAnswer, FeatureChange, NewFeature } from './feature.schema.ts'
import { featureStore } from './feature.store.ts'

const kind: RecordKind<FeatureTerms, FeatureChange> = {
  noun: 'feature',
  store: featureStore,
  unique: 'slug',
  read: (sent, before, attempt) => {
    const { title, description, icon, group, isHighlighted, availability } = before ?? { title: '', ...plainFeature }
    const newTitle = sent.title ?? title
    return {
      slug: sent.slug ?? before?.slug ?? slugOf(newTitle, attempt),
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
    noun: { one: 'feature', many: 'features', name: 'Feature', a: 'a feature' },
    schemas: { fresh: NewFeature, change: FeatureChange, answer: FeatureAnswer },
    records: recordService(kind, deps),
    view: async (_scope, features) => features.map(featureView),
  })
}

/** A feature as the catalog shows it. */
export function featureView(feature: Stored<FeatureTerms>): FeatureAnswer {
  const { productId: _, createdAt, updatedAt, ...shown } = feature
  return { ...shown, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}
