const secretBytesMin = 8
/** A larger body is a mail. It is searched for the plain bytes only: what repeats a secret is small. */
const escapedBodyBytesMax = 1024 * 1024

/**
 * Overwrites every secret that the body repeats with asterisks (Microsoft Graph sends back its `clientState`). The body
 * keeps its length. The sender chose the body and a tenant chose the secret, so the search must be linear for all of
 * them: a regular expression is not, and `Buffer.indexOf` is quadratic for some texts.
 */
export function maskSecrets(body: Buffer, secrets: readonly string[]): Buffer {
  const decoded = body.length <= escapedBodyBytesMax && body.includes('\\') ? decodeEscapes(body) : null
  let masked = body
  const mask = (start: number, end: number) => {
    if (masked === body) masked = Buffer.from(body)
    masked.fill('*', start, end)
  }
  for (const secret of secrets.map((text) => Buffer.from(text)).filter(({ length }) => length >= secretBytesMin)) {
    for (const start of occurrences(secret, body)) mask(start, start + secret.length)
    if (decoded === null) continue
    const { bytes, offsets } = decoded
    for (const start of occurrences(secret, bytes))
      mask(offsets[start] as number, offsets[start + secret.length] as number)
  }
  return masked
}

/** Where the pattern begins in the text, without overlaps (Knuth, Morris and Pratt: no byte is compared more than twice). */
function* occurrences(pattern: Uint8Array, text: Uint8Array): Generator<number> {
  const fallbacks = borderLengths(pattern)
  let matched = 0
  for (let index = 0; index < text.length; index++) {
    // Most bytes begin no match: the platform skips them faster.
    if (matched === 0) index = text.indexOf(pattern[0] as number, index)
    if (index === -1) return
    while (matched > 0 && pattern[matched] !== text[index]) matched = fallbacks[matched - 1] as number
    if (pattern[matched] === text[index]) matched++
    if (matched < pattern.length) continue
    yield index + 1 - pattern.length
    matched = 0
  }
}

/** For each prefix of the pattern the length of the longest shorter prefix that it ends with. */
function borderLengths(pattern: Uint8Array): Uint32Array {
  const lengths = new Uint32Array(pattern.length)
  for (let index = 1, length = 0; index < pattern.length; index++) {
    while (length > 0 && pattern[length] !== pattern[index]) length = lengths[length - 1] as number
    if (pattern[length] === pattern[index]) length++
    lengths[index] = length
  }
  return lengths
}

type Decoded = {
  bytes: Uint8Array
  /** Where in the body each decoded byte was written, and behind the last one the body's length. */
  offsets: Uint32Array
}

const backslash = 0x5c
const shortEscapes = new Map(
  Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(([letter, character]) => [
    letter.charCodeAt(0),
    character.charCodeAt(0),
  ]),
)

/** The body with the escapes of JSON strings (RFC 8259 section 7) replaced by what they stand for. */
function decodeEscapes(body: Buffer): Decoded {
  const bytes = Buffer.alloc(body.length)
  const offsets = new Uint32Array(body.length + 1)
  let length = 0
  for (let offset = 0; offset < body.length; ) {
    const byte = body[offset] as number
    offsets[length] = offset
    if (byte !== backslash) {
      bytes[length++] = byte
      offset++
      continue
    }
    const unit = codeUnit(body, offset)
    if (unit === null) {
      const escaped = body[offset + 1] ?? byte
      bytes[length++] = shortEscapes.get(escaped) ?? escaped
      offset += 2
      continue
    }
    const low = isHighSurrogate(unit) ? codeUnit(body, offset + 6) : null
    const written = bytes.write(low === null ? String.fromCharCode(unit) : String.fromCharCode(unit, low), length)
    offsets.fill(offset, length, length + written)
    length += written
    offset += low === null ? 6 : 12
  }
  offsets[length] = body.length
  return { bytes: bytes.subarray(0, length), offsets }
}

const hexDigits = '0123456789abcdef'

/** The UTF-16 code unit that `\uXXXX` at the offset stands for; null where there is none. */
function codeUnit(body: Buffer, offset: number): number | null {
  if (body[offset] !== backslash || body[offset + 1] !== 0x75) return null
  let unit = 0
  for (let index = offset + 2; index < offset + 6; index++) {
    const digit = hexDigits.indexOf(String.fromCharCode(body[index] ?? 0).toLowerCase())
    if (digit === -1) return null
    unit = unit * 16 + digit
  }
  return unit
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
