import { exampleValue } from '../../src/http/openapi/schemas.ts'
import type { ApiOperation } from './api-operations.ts'
import { hostileTexts, hostileValues } from './hostile-values.ts'
import type { Random } from './seeded-random.ts'

export type HostileBody = { kind: string; type: string; bytes: Buffer }

type Members = Record<string, unknown>
/** Makes a JSON text of about `size` bytes from an example. */
type Shape = (example: unknown, size: number, random: Random) => string

const letters = [
  'a',
  'é',
  '😀',
  '\\"',
  '\\\\',
  '\\n',
  '\\u0301',
  ' ',
  '<b>',
  '# ',
  '[',
  '- ',
  '\\u200d',
  '|',
  '`',
  '&amp;',
]

/** What makes a body expensive, alone or inside an otherwise valid one. */
const shapes: Record<string, Shape> = {
  'many members': (example, size) => merged(example, `{"more":${object(size)}}`),
  'many unknown names': (example, size) => merged(example, object(size)),
  'many elements': (example, size, random) => inPlace(example, random, (value) => list(value, size)),
  'many lists': (example, size, random) => inPlace(example, random, () => `[${'[],'.repeat(size / 3)}[]]`),
  'a long text': (example, size, random) => inPlace(example, random, () => text(size, random)),
  'a long name': (example, size, random) => merged(example, `{${text(size, random)}:1}`),
  'a long number': (example, size, random) => inPlace(example, random, () => digits(size, random)),
  'deep lists': (example, size, random) => inPlace(example, random, () => '['.repeat(size / 2) + ']'.repeat(size / 2)),
  'deep objects': (example, size, random) =>
    inPlace(example, random, () => `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`),
  'a hostile value': (example, _, random) =>
    inPlace(example, random, () => JSON.stringify(random.oneOf([...hostileTexts, ...hostileValues]))),
  'a cut text': (example, size, random) => text(size, random).slice(0, -1) + JSON.stringify(example).slice(0, -1),
  spaces: (example, size) => ' '.repeat(size) + JSON.stringify(example ?? {}),
}

/** The example, with names of its own where they must be unique. */
export function validBody({ schema, example }: ApiOperation['bodies'][number], random: Random): Buffer {
  const value = example ?? exampleValue(schema)
  if (typeof value !== 'object' || value === null) return Buffer.from(JSON.stringify(value ?? {}))
  const unique = `n${random.below(2 ** 31).toString(36)}`
  const named = Object.entries(value).map(([name, part]) => [
    name,
    ['slug', 'name', 'code', 'key', 'region', 'title'].includes(name) && typeof part === 'string' ? unique : part,
  ])
  return Buffer.from(JSON.stringify(Array.isArray(value) ? value : Object.fromEntries(named)))
}

/** A body of the operation of about `size` bytes; null if it takes none. */
export function hostileBody({ bodies }: ApiOperation, size: number, random: Random): HostileBody | null {
  if (bodies.length === 0) return null
  const { type, schema, example } = random.oneOf(bodies)
  if (type === 'application/json') {
    if (random.below(4) === 0) return { kind: 'valid', type, bytes: validBody({ type, schema, example }, random) }
    const [kind, shape] = random.oneOf(Object.entries(shapes))
    return { kind, type, bytes: Buffer.from(shape(example ?? exampleValue(schema), size, random)) }
  }
  if (type === 'multipart/form-data') return multipartBody(size, random)
  const [kind, bytes] = random.oneOf<[string, string]>([
    ['pairs', 'a=1&'.repeat(size / 4)],
    ['a payload', `payload=${encodeURIComponent(`{"a":"${'x'.repeat(size)}"}`)}`],
    ['spaces', '+'.repeat(size)],
    ['cues', `WEBVTT\n\n${'00:00:01.000 --> 00:00:02.000\n<v Ada>Hi.\n\n'.repeat(size / 45)}`],
    ['numbered cues', '1\n00:00:01,000 --> 00:00:02,000\nAda: Hi.\n\n'.repeat(size / 45)],
    ['lines', `WEBVTT\n${'\n'.repeat(size)}`],
    ['members', object(size)],
    ['a long line', `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${'<'.repeat(size)}`],
  ])
  return { kind, type, bytes: Buffer.from(bytes) }
}

function multipartBody(size: number, random: Random): HostileBody {
  const part = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const file = (value: string) =>
    `--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n${value}\r\n`
  const [kind, body] = random.oneOf<[string, string]>([
    ['a field', part('title', 'x'.repeat(size))],
    ['many fields', part('a', '').repeat(size / 60)],
    ['a file', file('x'.repeat(size))],
    ['an image', file(`<svg xmlns="http://www.w3.org/2000/svg">${'<g>'.repeat(size / 3)}`)],
    ['almost delimiters', file('\r\n--'.repeat(size / 4))],
    ['long headers', `--b\r\nX: ${'x'.repeat(size)}\r\n\r\n`],
  ])
  return { kind, type: 'multipart/form-data; boundary=b', bytes: Buffer.from(`${body}--b--\r\n`) }
}

/** `{"0":0,"1":0,...}` */
function object(size: number): string {
  const parts: string[] = []
  for (let count = 0, length = 0; length < size - 16; count++) {
    const part = `"${count.toString(36)}":0`
    parts.push(part)
    length += part.length + 1
  }
  return `{${parts.join()}}`
}

function list(value: unknown, size: number): string {
  const element = JSON.stringify(Array.isArray(value) ? (value[0] ?? 0) : value) ?? '0'
  return `[${`${element},`.repeat(size / (element.length + 1))}${element}]`
}

function text(size: number, random: Random): string {
  const piece = random.oneOf(letters) + (random.below(2) === 0 ? '' : random.oneOf(letters))
  return `"${piece.repeat(size / Buffer.byteLength(piece))}"`
}

function digits(size: number, random: Random): string {
  const many = '7'.repeat(Math.max(1, size))
  return random.oneOf([many, `-${many}`, `0.${many}`, `1e${many}`, `1e-${many}`, `${many}.${many}`])
}

/** The example as JSON, with the JSON text in place of one of its members, or as a whole. */
function inPlace(example: unknown, random: Random, replaced: (value: unknown) => string): string {
  const paths = membersOf(example)
  if (paths.length === 0 || random.below(10) === 0) return replaced(example)
  const path = random.oneOf(paths)
  const copy = structuredClone(example) as Members
  const holder = path.slice(0, -1).reduce<Members>((part, name) => part[name] as Members, copy)
  const name = path.at(-1) as string
  const value = holder[name]
  holder[name] = placeholder
  return JSON.stringify(copy).replace(JSON.stringify(placeholder), () => replaced(value))
}

const placeholder = 'here comes another value'

function membersOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => [[...path, name], ...membersOf(part, [...path, name])])
}

/** Both objects as one. */
function merged(example: unknown, json: string): string {
  const own = JSON.stringify(example ?? {})
  return own.length <= 2 || !own.startsWith('{') ? json : `${own.slice(0, -1)},${json.slice(1)}`
}
