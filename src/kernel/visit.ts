/** What is known of a request that read something public. Nothing of it is looked at while the request is served. */
export type Visit = {
  ip: string
  /** Path and query as they were sent. */
  url: string
  headers: Record<string, string | string[] | undefined>
}

export type VisitEventType = 'product.view' | 'page.view' | 'doc.view' | 'sdk.download' | 'search' | 'cta.click'

/** What was read. Slugs stand beside ids so that a log stays readable when the thing is gone. */
export type VisitEvent = {
  type: VisitEventType
  productId?: string
  productSlug?: string
  pageSlug?: string
  docSlug?: string
  downloadId?: string
  versionId?: string
}

/** Counts a visit later and at no cost to the request: never fails, never waits. */
export type RecordVisit = (event: VisitEvent, visit: Visit) => void
