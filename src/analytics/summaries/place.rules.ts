import type { Fact } from '../events/visit.rules.ts'

/** What a day's visits of one type and product are split by. */
export type Dimension = 'all' | 'page' | 'download' | 'version' | 'referrer' | 'device'

type Place = [Dimension, string]

const all: Place = ['all', '']

/** Where different visitors are counted, from the whole to the thing that was visited. */
export function countedPlaces({
  downloadId,
  docSlug,
  pageSlug,
}: Pick<Fact, 'downloadId' | 'docSlug' | 'pageSlug'>): Place[] {
  if (downloadId !== null) return [all, ['download', downloadId]]
  const page = docSlug ?? pageSlug
  return page === null ? [all] : [all, ['page', page]]
}

export function otherPlaces({ versionId, referrerHost, device }: Fact): Place[] {
  const places: Place[] = [
    ['referrer', referrerHost ?? ''],
    ['device', device],
  ]
  return versionId === null ? places : [...places, ['version', versionId]]
}
