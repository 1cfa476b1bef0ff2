/** Where a browser may be sent back to: exact origins, nothing that only begins like one. */

/** Whether an administrator may list it: https, or plain HTTP on the own machine at any port. */
export function isListableOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, origin } = new URL(text)
  if (origin !== text || !/^[a-z0-9.-]+$/.test(hostname)) return false
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname))
}

/** Whether the address is at one of these origins. */
export function isReturnAddress(text: string, origins: readonly string[]): boolean {
  if (!URL.canParse(text)) return false
  const { origin, username, password } = new URL(text)
  return username === '' && password === '' && origins.includes(origin)
}

/** The address with these query parameters, in place of any of the same name. */
export function withParams(address: string, params: Record<string, string>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return url.href
}
