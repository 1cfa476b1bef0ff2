import { Refusal } from '../../kernel/refusal.ts'

/** The strong entity tag of a thing that counts its revisions. */
export function revisionETag({ id, revision }: { id: string; revision: number }): string {
  return `"${id}-${revision}"`
}

/**
 * 412 when `If-Match` (RFC 9110 section 13.1.1) names another revision than the thing has: somebody changed it after the
 * caller read it. To be asked inside the transaction that holds the thing locked. Absent: whoever writes last wins.
 */
export function requireRevision(ifMatch: string | undefined, thing: { id: string; revision: number }): void {
  requireETag(ifMatch, revisionETag(thing))
}

/** The same for anything with a strong tag, by the strong comparison of the same section. */
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
