import type { VisitRecord } from '../events/visit.rules.ts'

/** How a day's visits of one type and product are broken down. */
export type Dimension = 'all' | 'page' | 'download' | 'version' | 'referrer' | 'device'

type DimensionKey = [Dimension, string]

const all: DimensionKey = ['all', '']

/** The dimensions that count unique visitors, from the whole to the visited thing. */
export function uniqueDimensions({
  downloadId,
  docSlug,
  pageSlug,
}: Pick<VisitRecord, 'downloadId' | 'docSlug' | 'pageSlug'>): DimensionKey[] {
  if (downloadId !== null) return [all, ['download', downloadId]]
  const page = docSlug ?? pageSlug
  return page === null ? [all] : [all, ['page', page]]
}

export function otherDimensions({ versionId, referrerHost, device }: VisitRecord): DimensionKey[] {
  const places: DimensionKey[] = [
    ['referrer', referrerHost ?? ''],
    ['device', device],
  ]
  return versionId === null ? places : [...places, ['version', versionId]]
}
