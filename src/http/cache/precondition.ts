import { Refusal } from '../../kernel/refusal.ts'

/** The strong entity tag of a revision. */
export function revisionETag({ id, revision }: { id: string; revision: number }): string {
  return `"${id}-${revision}"`
}

/** Adds the ETag of the current revision, which a later change sends in `If-Match`. */
export function withETag<A extends { headers?: Record<string, string> }>(
  answer: A,
  thing: { id: string; revision: number },
): A {
  return { ...answer, headers: { ...answer.headers, etag: revisionETag(thing) } }
}

/**
 * Refuses with 412 if `If-Match` (RFC 9110 section 13.1.1) does not name the current revision: somebody else changed the
 * object. Call it in the transaction that locks the object. Without the header the last writer wins.
 */
export function requireRevision(ifMatch: string | undefined, thing: { id: string; revision: number }): void {
  requireETag(ifMatch, revisionETag(thing))
}

/** The same for any strong tag, by strong comparison. */
export function requireETag(ifMatch: string | undefined, current: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  if (ifMatch.split(',').some((tag) => tag.trim() === current)) return
  throw new Refusal('PRECONDITION_FAILED', {
    detail: `It has been changed since you read it: its ETag is ${current} now.`,
    headers: { etag: current },
  })
}

/** Whether `If-None-Match` names the tag, by the weak comparison of RFC 9110 section 13.1.2. */
export function matchesIfNoneMatch(tag: string | null, ifNoneMatch: string | undefined): boolean {
  if (tag === null || ifNoneMatch === undefined) return false
  if (ifNoneMatch === tag) return true
  return ifNoneMatch.split(',').some((known) => ['*', tag].includes(known.trim().replace(/^W\//, '')))
}
