import type { Readable } from 'node:stream'
import type { Visit } from '../kernel/visit.ts'

/** What a handler gives back. `body` is an object for JSON, or text and bytes with their own `content-type` header. */
export type Answer<Status extends number = number, Body = unknown> = {
  status: Status
  body: Body
  headers?: Record<string, string>
  /** Called for each request that gets this answer, also as 304, for counting. Not called for HEAD. Must not throw. */
  onServed?: (visit: Visit) => void
  /**
   * Of an idempotent request: the id of the thing whose words the answer holds. Whoever erases the thing calls
   * `eraseStoredAnswers`; a repeat of the request is then told that it is not there.
   */
  subjectId?: string
  /** Of a public read: from this moment on the answer is another one, because time itself changes it. */
  validUntil?: Date
}

export function ok<Body>(body: Body): Answer<200, Body> {
  return { status: 200, body }
}

/** 201 with the new thing's address in `Location`. */
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

/** It has another address for good. `location` may be relative to the address asked for (RFC 9110 section 10.2.2). */
export function movedPermanently(location: string): Answer<301, null> {
  return { status: 301, body: null, headers: { location } }
}

/** For answers that contain a secret: caches must not store them. */
export function secret<A extends Answer>(answer: A): A {
  return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } }
}

/** Text or bytes as they are, not JSON. A stream that fails ends the connection: a client sees that it has not all. */
export function raw<Body extends string | Buffer | Readable>(
  contentType: string,
  body: Body,
  headers: Record<string, string> = {},
): Answer<200, Body> {
  return { status: 200, body, headers: { 'content-type': contentType, ...headers } }
}
