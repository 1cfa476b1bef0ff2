const protocols = ['http:', 'https:', 'mailto:']

/** Longer ones are cut by browsers and proxies. */
export const addressLengthMax = 2048

/**
 * What is wrong with an address that visitors are to follow, or null. Only what leads to a page or to a mail: an address
 * that runs something (`javascript:`, `data:`), hides where it leads (`//host`, `user@host`), or that a browser would
 * repair into one of these (blanks, control characters, backslashes) is none.
 */
export function addressProblem(text: string): string | null {
  if (text === '' || text.length > addressLengthMax) return `must have 1 to ${addressLengthMax} characters`
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(text)) return 'may not hold blanks, control characters or backslashes'
  if (text.startsWith('//')) return 'must say https: before //'
  // What stands before a colon is a scheme (RFC 3986 section 4.2), unless a slash, a query or a fragment comes first.
  if (!/^[^/?#]*:/.test(text)) return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !protocols.includes(url.protocol)) return 'must be a path, or start with https:, http: or mailto:'
  if (url.protocol !== 'mailto:' && !/^https?:\/\/[^/]/i.test(text)) return 'must name a host'
  return url.username === '' && url.password === '' ? null : 'may not hold a user name or a password'
}
