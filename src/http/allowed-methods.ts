import { isBrowserAccess } from './access/access.ts'
import { pathPattern, type Route } from './route.ts'

/** At a door nobody asks for HEAD. */
function servesHead({ access }: Pick<Route, 'access'>): boolean {
  return !isBrowserAccess(access)
}

/** Returns the methods that a URL allows, for 405 and `Allow`. Empty if no route has the path. */
export function allowedMethods(routes: Route[]): (url: string) => string[] {
  const patterns = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  for (const route of routes) {
    const { method } = route
    const pattern = pathPattern(route)
    const known = patterns.get(pattern.source) ?? { pattern, methods: new Set() }
    known.methods.add(method)
    if (method === 'GET' && servesHead(route)) known.methods.add('HEAD')
    patterns.set(pattern.source, known)
  }
  return (url) => {
    // A proxy may send the absolute form (RFC 9112 section 3.2.2).
    const path = url.replace(/^https?:\/\/[^/]*/i, '').split('?')[0] ?? ''
    const methods = [...patterns.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((known) => [...known.methods])
    return [...new Set(methods)].sort()
  }
}
