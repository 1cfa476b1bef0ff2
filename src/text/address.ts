/** `isOutside`: it leads to a host of its own. */
export type SafeAddress = { address: string; isOutside: boolean }

export const linkSchemes: readonly string[] = ['http', 'https', 'mailto']
export const imageSchemes: readonly string[] = ['http', 'https']

const lengthMax = 2048
// Any host that can be no real one: what is relative stays on it.
const page = new URL('https://page.invalid/one/two')

/**
 * An address that may stand in a page: one of `schemes`, or relative. Null for all others, among them those that only
 * look relative to us and not to a browser (`//host`, `/\host`, a scheme with a line break in it). Read by the URL
 * standard's own parser, which is the one that browsers use.
 */
export function safeAddress(text: string, schemes: readonly string[]): SafeAddress | null {
  const address = text.trim()
  if (address === '' || address.length > lengthMax || /\p{Cc}/u.test(address)) return null
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase()
  if (scheme === undefined) return isOnPage(address) ? { address, isOutside: false } : null
  if (!schemes.includes(scheme) || !URL.canParse(address)) return null
  return { address, isOutside: scheme !== 'mailto' }
}

function isOnPage(address: string): boolean {
  return URL.canParse(address, page.href) && new URL(address, page).origin === page.origin
}
