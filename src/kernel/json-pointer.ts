const tokenLengthMax = 64

/** A member's name for a JSON pointer (RFC 6901). A name that a caller invented is cut. */
export function pointerToken(name: string): string {
  return name.slice(0, tokenLengthMax).replaceAll('~', '~0').replaceAll('/', '~1')
}
