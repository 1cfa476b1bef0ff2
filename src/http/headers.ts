/**
 * Set on every answer, including those of the framework and the parser before routing. API answers are data: browsers must
 * not run, frame or sniff them (OWASP REST Security Cheat Sheet).
 */
export const securityHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=15552000', // half a year; browsers heed it over TLS alone
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/** For our own pages: scripts, styles and data only from this origin, no inline scripts. */
export const pageSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** For the console: besides, no markup that a script makes from text (Trusted Types), and no style but from files. */
export const consolePagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const requestIdPattern = /^[A-Za-z0-9_-]{8,64}$/

export function isRequestId(text: unknown): text is string {
  return typeof text === 'string' && requestIdPattern.test(text)
}

/**
 * Whether a request has more than one Host header. A server must refuse it (RFC 9112 section 3.2), because a proxy may
 * believe another one than we do. Node by itself drops all but the first.
 */
export function hasSeveralHosts({ rawHeaders }: { rawHeaders: string[] }): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count > 1
}

/** Headers by lower-case name, with all values of repeated ones, which Node would join or drop. */
export function distinctHeaders({ rawHeaders }: { rawHeaders: string[] }): Record<string, string | string[]> {
  const values = new Map<string, string[]>()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase()
    values.set(name, [...(values.get(name) ?? []), rawHeaders[index + 1] as string])
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? (all[0] as string) : all]))
}
