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

/** By lower-case name, and every value of one that came more than once: Node joins them, or keeps the first. */
export function distinctHeaders({ rawHeaders }: { rawHeaders: string[] }): Record<string, string | string[]> {
  const values = new Map<string, string[]>()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase()
    values.set(name, [...(values.get(name) ?? []), rawHeaders[index + 1] as string])
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? (all[0] as string) : all]))
}
