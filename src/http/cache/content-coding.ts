import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** Callers send few different texts; each is read once. */
const textsMax = 500
const read = new Map<string, Coding | null>()

/** The coding to answer with by `Accept-Encoding` (RFC 9110 section 12.5.3): the smallest that is wanted. Null: as it is. */
export function codingOf(acceptEncoding: string | string[] | undefined): Coding | null {
  if (acceptEncoding === undefined) return null
  const text = String(acceptEncoding)
  const known = read.get(text)
  if (known !== undefined) return known
  const coding = preferredOf(text)
  if (read.size < textsMax) read.set(text, coding)
  return coding
}

function preferredOf(text: string): Coding | null {
  const wanted = new Map(text.toLowerCase().split(',').map(readEntry))
  return codings.find((coding) => (wanted.get(coding) ?? wanted.get('*') ?? 0) > 0) ?? null
}

function readEntry(entry: string): [string, number] {
  const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))
  return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0]
}

/** Off the event loop. Brotli 5 is about as fast as gzip 6 and smaller. */
export function encode(coding: Coding, bytes: Buffer): Promise<Buffer> {
  if (coding === 'gzip') return gzipped(bytes)
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_SIZE_HINT: size } = constants
  return brotli(bytes, { params: { [quality]: 5, [size]: bytes.length } })
}

/** Less than this fits into one packet either way. */
const worthBytesMin = 1_000

export function isWorthCoding(contentType: string, bytes: Buffer): boolean {
  return bytes.length >= worthBytesMin && /^text\/|[/+](json|xml|javascript)\b/.test(contentType)
}
