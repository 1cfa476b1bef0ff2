/**
 * The address without the slashes at the end of its path, for a redirect; null if it has none. A caller who joins addresses
 * carelessly then learns the right one. The answer never names a host, so it cannot lead to another one.
 */
export function withoutTrailingSlash(url: string): string | null {
  // A proxy may send the absolute form (RFC 9112 section 3.2.2).
  const local = url.replace(/^https?:\/\/[^/?]*/i, '')
  const queryStart = local.indexOf('?')
  const path = queryStart < 0 ? local : local.slice(0, queryStart)
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end--
  if (end === path.length || end <= 1 || path.startsWith('//')) return null
  const query = queryStart < 0 ? '' : local.slice(queryStart)
  return path.slice(0, end) + query
}
