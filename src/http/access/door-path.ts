import { type Access, isBrowserAccess } from './access.ts'

/** Where pages of our own ask with a cookie: the rules of `door.ts` hold for everything below. */
const doorPaths = /^\/console\/(?:api|session)(?:\/|$)/

/** Whether a requested address belongs to a door, also if there is no such route. */
export function isDoorPath(url: string): boolean {
  // Nearly every address.
  if (url.startsWith('/') && !url.startsWith('/console') && !url.includes('%')) return false
  // A proxy may send the absolute form (RFC 9112 section 3.2.2).
  const path = url.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)[0] ?? ''
  return doorPaths.test(path.includes('%') ? decoded(path) : path)
}

/** Whether another route, such as a wildcard, would answer at a door. It must not: an unknown path there is just unknown. */
export function isStranger(url: string, access: Access | undefined): boolean {
  return (access === undefined || !isBrowserAccess(access)) && isDoorPath(url)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
