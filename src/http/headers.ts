/**
 * Set on every answer, also on those that the framework or the parser gives before any route is found.
 * An API answer is data: nothing in it may run, be framed or be sniffed (OWASP REST Security Cheat Sheet).
 */
export const securityHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=15552000', // half a year; browsers heed it over TLS alone
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/** Our own pages: scripts, styles and data from this origin alone, nothing inline that runs. */
export const pageSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const requestIdPattern = /^[A-Za-z0-9_-]{8,64}$/

export function isRequestId(text: unknown): text is string {
  return typeof text === 'string' && requestIdPattern.test(text)
}
