import type { Visit } from '../../kernel/visit.ts'

export type VisitEventType = 'product.view' | 'page.view' | 'doc.view' | 'sdk.download' | 'search' | 'cta.click'

/** What was read. Slugs stand beside ids so that the log stays readable after the object is gone. */
export type VisitEvent = {
  type: VisitEventType
  productId?: string
  productSlug?: string
  pageSlug?: string
  docSlug?: string
  downloadId?: string
  versionId?: string
}

/** Counts a visit later, at no cost to the request: never fails, never waits. */
export type RecordVisit = (event: VisitEvent, visit: Visit) => void
