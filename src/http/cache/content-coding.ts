import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** Callers send few different values; each is parsed once. */
const textsMax = 500
const parsed = new Map<string, Coding | null>()

/** The coding to answer with by `Accept-Encoding` (RFC 9110 section 12.5.3): the smallest accepted one. Null: uncompressed. */
export function negotiateCoding(acceptEncoding: string | string[] | undefined): Coding | null {
  if (acceptEncoding === undefined) return null
  const text = String(acceptEncoding)
  const known = parsed.get(text)
  if (known !== undefined) return known
  const coding = preferredCoding(text)
  if (parsed.size < textsMax) parsed.set(text, coding)
  return coding
}

function preferredCoding(text: string): Coding | null {
  const wanted = new Map(text.toLowerCase().split(',').map(parseEntry))
  return codings.find((coding) => (wanted.get(coding) ?? wanted.get('*') ?? 0) > 0) ?? null
}

function parseEntry(entry: string): [string, number] {
  const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))
  return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0]
}

/** Off the event loop. Brotli 5 is about as fast as gzip 6 and smaller. */
export function compress(coding: Coding, bytes: Buffer): Promise<Buffer> {
  if (coding === 'gzip') return gzipped(bytes)
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_SIZE_HINT: size } = constants
  return brotli(bytes, { params: { [quality]: 5, [size]: bytes.length } })
}

/** Smaller answers fit into one packet without compression. */
const compressedBytesMin = 1_000

export function isWorthCompressing(contentType: string, bytes: Buffer): boolean {
  return bytes.length >= compressedBytesMin && /^text\/|[/+](json|xml|javascript)\b/.test(contentType)
}
