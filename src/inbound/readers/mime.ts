// A small mail parser (RFC 5322, 2045 to 2047): the headers that place the mail in a conversation, and the first plain
// text. The mail itself is stored unchanged; HTML, attachments and quotes are not parsed here.

export type MailHeaders = [name: string, value: string][]

const headBytesMax = 64 * 1024
const headersMax = 500
const textBytesMax = 1024 * 1024
const depthMax = 8
const partsMax = 100

export type MailPart = { headers: MailHeaders; body: Buffer }

/** Splits a mail, or a part of it, into its headers (names in lower case) and its body. */
export function splitPart(part: Buffer): MailPart {
  const head = part.subarray(0, headBytesMax).toString('latin1')
  // Without headers the empty line comes first.
  const found = /^\r?\n|\r?\n\r?\n/.exec(head)
  if (found === null) return { headers: parseHeaders(part.subarray(0, headBytesMax)), body: Buffer.alloc(0) }
  return { headers: parseHeaders(part.subarray(0, found.index)), body: part.subarray(found.index + found[0].length) }
}

/** Parses a block of headers and joins folded lines. */
export function parseHeaders(head: Buffer): MailHeaders {
  const lines = decodeText(head, 'utf-8')
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/, headersMax)
  return lines.flatMap((line): MailHeaders => {
    const colon = line.indexOf(':')
    return colon > 0
      ? [
          [
            line.slice(0, colon).trim().toLowerCase(),
            line
              .slice(colon + 1)
              .trim()
              .slice(0, 20_000),
          ],
        ]
      : []
  })
}

/** The first header with that name, with encoded words decoded. */
export function headerValue(headers: MailHeaders, name: string): string | null {
  const found = headers.find(([known]) => known === name)
  return found === undefined ? null : decodeEncodedWords(found[1])
}

const parameters = {
  boundary: /;\s*boundary\s*=\s*(?:"([^"]{0,500})"|([^\s;"]{1,500}))/i,
  charset: /;\s*charset\s*=\s*(?:"([^"]{0,500})"|([^\s;"]{1,500}))/i,
}

/** A parameter of Content-Type. */
function parameter(value: string | null, name: keyof typeof parameters): string | null {
  const found = parameters[name].exec(value ?? '')
  return found?.[1] ?? found?.[2] ?? null
}

/** The parts of a multipart body, at most `max`. A part without an end reaches to the end of the body. */
function splitMultipart(body: Buffer, boundary: string, max: number): Buffer[] {
  const delimiter = Buffer.from(`--${boundary}`, 'latin1')
  const parts: Buffer[] = []
  let start = -1
  for (
    let found = body.indexOf(delimiter);
    found >= 0 && parts.length < max;
    found = body.indexOf(delimiter, found + delimiter.length)
  ) {
    if (found > 0 && body[found - 1] !== 0x0a) continue // a delimiter begins a line
    if (start >= 0) parts.push(body.subarray(start, Math.max(start, found - (body[found - 2] === 0x0d ? 2 : 1))))
    const after = found + delimiter.length
    if (body[after] === 0x2d && body[after + 1] === 0x2d) return parts
    const lineEnd = body.indexOf(0x0a, after)
    if (lineEnd < 0) return parts
    start = lineEnd + 1
  }
  if (start >= 0 && parts.length < max) parts.push(body.subarray(start))
  return parts
}

/** The first plain text of a mail that is not an attachment; empty where there is none. */
export function plainText(mail: MailPart): string {
  let partsLeft = partsMax

  const search = ({ headers, body }: MailPart, depth: number): string | null => {
    partsLeft -= 1
    const type = headerValue(headers, 'content-type') ?? 'text/plain'
    const kind = (type.split(';')[0] ?? '').trim().toLowerCase()
    if (kind.startsWith('multipart/')) {
      const boundary = parameter(type, 'boundary')
      // RFC 2046 section 5.1.1. A search for a longer text can take quadratic time.
      if (boundary === null || boundary.length > 70 || depth >= depthMax) return null
      for (const part of splitMultipart(body, boundary, partsLeft)) {
        const text = partsLeft > 0 ? search(splitPart(part), depth + 1) : null
        if (text !== null) return text
      }
      return null
    }
    if (kind !== 'text/plain' || /^\s*attachment/i.test(headerValue(headers, 'content-disposition') ?? '')) return null
    const encoding = (headerValue(headers, 'content-transfer-encoding') ?? '').toLowerCase()
    return decodeText(decodeTransfer(body.subarray(0, textBytesMax), encoding), parameter(type, 'charset') ?? 'utf-8')
  }

  return search(mail, 0) ?? ''
}

function decodeTransfer(bytes: Buffer, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(bytes.toString('latin1'), 'base64')
  if (encoding !== 'quoted-printable') return bytes
  return decodeQuotedPrintable(bytes.toString('latin1').replace(/=[ \t]{0,100}\r?\n/g, ''))
}

function decodeQuotedPrintable(text: string): Buffer {
  const read = text.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(read, 'latin1')
}

/** Decodes from the named character set, or from UTF-8 where it is unknown. Invalid bytes become replacement characters. */
export function decodeText(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}

/** Decodes encoded words (RFC 2047). The space between two of them is not part of the text. */
function decodeEncodedWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(
      /=\?([\w-]{1,40})(?:\*[\w-]{0,20})?\?([bq])\?([^?\s]{0,2000})\?=/gi,
      (_, charset: string, way: string, text: string) =>
        decodeText(
          /b/i.test(way) ? Buffer.from(text, 'base64') : decodeQuotedPrintable(text.replaceAll('_', ' ')),
          charset,
        ),
    )
}
