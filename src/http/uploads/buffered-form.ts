import { Readable } from 'node:stream'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { yieldPeriodically } from '../../kernel/event-loop.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { readParts } from './multipart.ts'
import { parseHeaderParameters } from './part-header.ts'

/** The values of each field, in order, without files. */
export type FormFields = ReadonlyMap<string, readonly Buffer[]>

/** A delivered mail has about twenty fields and any number of attachments. */
const partsMax = 1000
const nameBytesMax = 1024
const valueBytesDefault = 1024 * 1024
// Reading from memory never waits: these timeouts only stop a hang.
const timeouts = { silenceMs: 60_000, durationMs: 60_000 }
/** Yields to the event loop after each piece of this size, because a form may have 25 MiB. */
const pieceBytes = 64 * 1024

type FormBody = {
  body: Buffer
  /** The full header, which includes `boundary`. */
  contentType: string
}

type FieldFilter = {
  /** Keeps only these fields; all if empty or absent. */
  names?: readonly string[]
  /** Longer values are left out. */
  valueBytesMax?: number
}

/** Parses a form from memory, urlencoded or multipart (RFC 7578); null if it is not a valid form. */
export async function readBufferedForm(
  { body, contentType }: FormBody,
  { names = [], valueBytesMax = valueBytesDefault }: FieldFilter = {},
): Promise<FormFields | null> {
  const isWanted = (name: string) => names.length === 0 || names.includes(name)
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded') return readUrlencoded(body, { isWanted, valueBytesMax })
  const boundary = parseHeaderParameters(contentType)?.parameters.get('boundary') ?? ''
  // RFC 2046 section 5.1.1.
  if (type !== 'multipart/form-data' || boundary.length < 1 || boundary.length > 70) return null
  return readMultipart(body, boundary, { isWanted, valueBytesMax })
}

/** The bytes of a field that occurs exactly once. */
export function fieldBytes(fields: FormFields, name: string): Buffer | null {
  const [value, second] = fields.get(name) ?? []
  return second === undefined ? (value ?? null) : null
}

/** The text of a field that occurs exactly once. */
export function fieldText(fields: FormFields, name: string): string | null {
  return fieldBytes(fields, name)?.toString('utf8') ?? null
}

type Wanted = { isWanted(name: string): boolean; valueBytesMax: number }

async function readMultipart(body: Buffer, boundary: string, wanted: Wanted): Promise<FormFields | null> {
  const values: { name: string; bytes: Buffer | null }[] = []
  try {
    await readParts(Readable.from(pieces(body)), {
      boundary,
      bytesMax: body.length,
      partsMax,
      ...timeouts,
      onPart: async ({ name, filename, bytes }) => {
        const value = { name, bytes: null as Buffer | null }
        values.push(value)
        value.bytes = await collect(bytes, filename === null && wanted.isWanted(name) ? wanted.valueBytesMax : -1)
      },
    })
  } catch (error) {
    if (error instanceof Refusal && error.code === 'VALIDATION_ERROR') return null
    throw error
  }
  return grouped(values.flatMap(({ name, bytes }) => (bytes === null ? [] : [[name, bytes]])))
}

async function* pieces(body: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < body.length; start += pieceBytes) {
    if (start > 0) await yieldToEventLoop()
    yield body.subarray(start, start + pieceBytes)
  }
}

/** Reads to the end; null if there are more than `bytesMax` bytes. */
async function collect(bytes: Readable, bytesMax: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= bytesMax) chunks.push(chunk)
    else chunks.length = 0
  }
  return size <= bytesMax ? Buffer.concat(chunks) : null
}

async function readUrlencoded(body: Buffer, { isWanted, valueBytesMax }: Wanted): Promise<FormFields | null> {
  const fields: [string, Buffer][] = []
  const yieldWhenDue = yieldPeriodically()
  for (let count = 0, start = 0; start <= body.length; count++) {
    if (count >= partsMax) return null
    const next = body.indexOf('&', start)
    const pair = body.subarray(start, next === -1 ? body.length : next)
    const equals = pair.indexOf('=')
    const name = pair.subarray(0, equals === -1 ? Math.min(pair.length, nameBytesMax) : equals)
    const isShort = name.length < nameBytesMax && pair.length - name.length <= valueBytesMax
    const decodedName = isShort ? decoded(name).toString() : ''
    if (isShort && pair.length > 0 && isWanted(decodedName)) {
      fields.push([decodedName, decoded(pair.subarray(name.length + 1))])
      await yieldWhenDue()
    }
    start += pair.length + 1
  }
  return grouped(fields)
}

const plus = 0x2b
const space = 0x20
const percent = 0x25

/** Decodes what stands between `&` and `=` (https://url.spec.whatwg.org/#urlencoded-parsing). The platform's own decoder takes 100 ms for a megabyte of `+`. */
function decoded(bytes: Buffer): Buffer {
  const result = Buffer.allocUnsafe(bytes.length)
  let length = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] as number
    const escaped = byte === percent ? hexByte(bytes[index + 1], bytes[index + 2]) : null
    if (escaped !== null) index += 2
    result[length++] = escaped ?? (byte === plus ? space : byte)
  }
  return result.subarray(0, length)
}

function hexByte(high: number | undefined, low: number | undefined): number | null {
  const digits = [hexDigit(high), hexDigit(low)] as const
  return digits[0] === null || digits[1] === null ? null : digits[0] * 16 + digits[1]
}

function hexDigit(byte = 0): number | null {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : null
}

function grouped(pairs: [string, Buffer][]): FormFields {
  const groups = Map.groupBy(pairs, ([name]) => name)
  return new Map([...groups].map(([name, group]) => [name, group.map(([, value]) => value)]))
}
