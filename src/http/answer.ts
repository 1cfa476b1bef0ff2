import type { Readable } from 'node:stream'
import type { Visit } from '../kernel/visit.ts'
import type { UsagePolicy } from './limits/usage-policy.ts'

/** What a handler returns. `body` is an object for JSON, or text or bytes with their own `content-type` header. */
export type Answer<Status extends number = number, Body = unknown> = {
  status: Status
  body: Body
  headers?: Record<string, string>
  /** Called for each request that gets this answer, also as 304, for counting. Not called for HEAD. Must not throw. */
  onServed?: (visit: Visit) => void
  /**
   * For an idempotent request: the id of the object whose content the answer holds. Code that erases the object must call
   * `eraseStoredAnswers`; a repeated request then gets NOT_FOUND.
   */
  subjectId?: string
  /**
   * For an idempotent request of an administrator, if its path names no tenant: the tenant whose data the answer holds. The
   * stored answer is forgotten when the tenant is erased.
   */
  tenantId?: string
  /** For a metered route: the limits of usage that hold for the request. Not stored for repeats. */
  usage?: UsagePolicy[]
  /** For a public read: the answer is valid until this time, because it depends on the time. */
  validUntil?: Date
}

export function ok<Body>(body: Body): Answer<200, Body> {
  return { status: 200, body }
}

/** 201 with the new object's address in `Location`. */
export function created<Body>(location: string, body: Body): Answer<201, Body> {
  return { status: 201, body, headers: { location } }
}

/** 202: the work will be done in the background. */
export function accepted<Body>(body: Body): Answer<202, Body> {
  return { status: 202, body }
}

export function noContent(): Answer<204, null> {
  return { status: 204, body: null }
}

/** A permanent redirect. `location` may be relative to the requested address (RFC 9110 section 10.2.2). */
export function movedPermanently(location: string): Answer<301, null> {
  return { status: 301, body: null, headers: { location } }
}

export function withHeaders<A extends Answer>(answer: A, headers: Record<string, string>): A {
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

/** For answers that contain a secret: caches must not store them. */
export function secret<A extends Answer>(answer: A): A {
  return withHeaders(answer, { 'cache-control': 'no-store' })
}

/** Text or bytes, not JSON. If a stream fails the connection is closed, so that the client notices the missing part. */
export function raw<Body extends string | Buffer | Readable>(
  contentType: string,
  body: Body,
  headers: Record<string, string> = {},
): Answer<200, Body> {
  return { status: 200, body, headers: { 'content-type': contentType, ...headers } }
}
