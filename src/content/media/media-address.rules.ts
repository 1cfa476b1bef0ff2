/** So much of a hash stands in an address: 128 bits, which nobody finds a second file for. */
export const hashLength = 32

const address = new RegExp(`/media/([0-9a-f]{${hashLength}})/`, 'g')

/** The starts of the hashes of files whose addresses stand anywhere in a value: in Markdown, in HTML, in a link. */
export function hashesIn(value: unknown): string[] {
  const found = (JSON.stringify(value) ?? '').matchAll(address)
  return [...new Set(found.map(([, hash = '']) => hash))]
}
