const protocols = ['http:', 'https:', 'mailto:'] as const

/** Browsers and proxies cut longer addresses. */
export const addressLengthMax = 2048

/**
 * What is wrong with a link for visitors; null for a good one. Only links to pages and mail addresses are allowed. Not
 * allowed: addresses that run something (`javascript:`, `data:`), that hide their target (`//host`, `user@host`), and
 * those that a browser would repair into one of these (spaces, control characters, backslashes).
 * @param more schemes that are allowed besides http, https and mailto.
 */
export function addressProblem(text: string, more: readonly 'tel:'[] = []): string | null {
  if (text === '' || text.length > addressLengthMax) return `must have 1 to ${addressLengthMax} characters`
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(text)) return 'may not hold blanks, control characters or backslashes'
  if (text.startsWith('//')) return 'must say https: before //'
  // Text before a colon is a scheme (RFC 3986 section 4.2), unless a slash, a query or a fragment comes first.
  if (!/^[^/?#]*:/.test(text)) return null
  const url = URL.canParse(text) ? new URL(text) : null
  const allowed: string[] = [...protocols, ...more]
  if (url === null || !allowed.includes(url.protocol)) return `must be a path, or start with ${allowed.join(', ')}`
  if (url.protocol.startsWith('http') && !/^https?:\/\/[^/]/i.test(text)) return 'must name a host'
  return url.username === '' && url.password === '' ? null : 'may not hold a user name or a password'
}
