// A small reader of mail (RFC 5322, 2045 to 2047): the headers that say whose answer to what it is, and the first plain
// text. The mail is kept as it came; the engine for e-mail parses the rest of it (HTML, attachments, quotes).

export type MailHeaders = [name: string, value: string][]

const headBytesMax = 64 * 1024
const headersMax = 500
const textBytesMax = 1024 * 1024
const depthMax = 8
const partsMax = 100

export type MailPart = { headers: MailHeaders; body: Buffer }

/** The headers of a mail or of a part of one, names in lower case, and what follows them. */
export function splitPart(part: Buffer): MailPart {
  const head = part.subarray(0, headBytesMax).toString('latin1')
  // Without any header the empty line comes first.
  const found = /^\r?\n|\r?\n\r?\n/.exec(head)
  if (found === null) return { headers: headersOf(part.subarray(0, headBytesMax)), body: Buffer.alloc(0) }
  return { headers: headersOf(part.subarray(0, found.index)), body: part.subarray(found.index + found[0].length) }
}

/** A block of headers, folded lines joined. */
export function headersOf(head: Buffer): MailHeaders {
  const lines = textIn(head, 'utf-8')
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

/** The first of that name, encoded words read. */
export function headerOf(headers: MailHeaders, name: string): string | null {
  const found = headers.find(([known]) => known === name)
  return found === undefined ? null : wordsRead(found[1])
}

/** A parameter of a header like Content-Type or Content-Disposition. */
function parameterOf(value: string | null, name: string): string | null {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]{0,500})"|([^\\s;"]{1,500}))`, 'i').exec(value ?? '')
  return found?.[1] ?? found?.[2] ?? null
}

/** What stands between the lines of a boundary, at most so many. What has no end goes to the end of it all. */
function partsBetween(body: Buffer, boundary: string, max: number): Buffer[] {
  const mark = Buffer.from(`--${boundary}`, 'latin1')
  const parts: Buffer[] = []
  let begun = -1
  for (
    let found = body.indexOf(mark);
    found >= 0 && parts.length < max;
    found = body.indexOf(mark, found + mark.length)
  ) {
    if (found > 0 && body[found - 1] !== 0x0a) continue // a boundary begins a line
    if (begun >= 0) parts.push(body.subarray(begun, Math.max(begun, found - (body[found - 2] === 0x0d ? 2 : 1))))
    const after = found + mark.length
    if (body[after] === 0x2d && body[after + 1] === 0x2d) return parts
    const lineEnd = body.indexOf(0x0a, after)
    if (lineEnd < 0) return parts
    begun = lineEnd + 1
  }
  if (begun >= 0 && parts.length < max) parts.push(body.subarray(begun))
  return parts
}

/** The first plain text of a mail that is no attachment; empty where there is none. */
export function plainTextOf(mail: MailPart): string {
  let partsLeft = partsMax

  const search = ({ headers, body }: MailPart, depth: number): string | null => {
    partsLeft -= 1
    const type = headerOf(headers, 'content-type') ?? 'text/plain'
    const kind = (type.split(';')[0] ?? '').trim().toLowerCase()
    if (kind.startsWith('multipart/')) {
      const boundary = parameterOf(type, 'boundary')
      if (boundary === null || depth >= depthMax) return null
      for (const part of partsBetween(body, boundary, partsLeft)) {
        const text = partsLeft > 0 ? search(splitPart(part), depth + 1) : null
        if (text !== null) return text
      }
      return null
    }
    if (kind !== 'text/plain' || /^\s*attachment/i.test(headerOf(headers, 'content-disposition') ?? '')) return null
    const encoding = (headerOf(headers, 'content-transfer-encoding') ?? '').toLowerCase()
    return textIn(decoded(body.subarray(0, textBytesMax), encoding), parameterOf(type, 'charset') ?? 'utf-8')
  }

  return search(mail, 0) ?? ''
}

function decoded(bytes: Buffer, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(bytes.toString('latin1'), 'base64')
  if (encoding !== 'quoted-printable') return bytes
  return hexRead(bytes.toString('latin1').replace(/=[ \t]{0,100}\r?\n/g, ''))
}

function hexRead(text: string): Buffer {
  const read = text.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(read, 'latin1')
}

/** In the named character set, or in UTF-8 where nobody knows it. What is no text of it becomes replacement characters. */
export function textIn(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}

/** Encoded words of RFC 2047; the space between two of them is none of the text. */
function wordsRead(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(
      /=\?([\w-]{1,40})(?:\*[\w-]{0,20})?\?([bq])\?([^?\s]{0,2000})\?=/gi,
      (_, charset: string, way: string, text: string) =>
        textIn(/b/i.test(way) ? Buffer.from(text, 'base64') : hexRead(text.replaceAll('_', ' ')), charset),
    )
}
