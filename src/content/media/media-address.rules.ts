/** Hexadecimal digits of a hash in an address: 128 bits, so nobody can make a second file with the same address. */
export const hashLength = 32

const address = new RegExp(`/media/([0-9a-f]{${hashLength}})/`, 'g')

/** The hashes in all file addresses anywhere in a value: in Markdown, in HTML, in links. */
export function findHashes(value: unknown): string[] {
  const found = (JSON.stringify(value) ?? '').matchAll(address)
  return [...new Set(found.map(([, hash = '']) => hash))]
}
