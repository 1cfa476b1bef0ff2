import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject } from 'typebox'
import { refuseBroken } from '../../kernel/field-rules.ts'
import { pointerToken } from '../../kernel/json-pointer.ts'
import { invalidField } from '../../kernel/refusal.ts'
import { isStorableText } from '../body.ts'
import { refuseContentEncoding, unsupportedMediaType } from '../unsupported-media-type.ts'
import { parseQuery, schemaCheck } from '../validation.ts'
import { bodyTooLarge, invalidMultipart, type Part, readParts } from './multipart.ts'
import { parseHeaderParameters } from './part-header.ts'

/** The multipart/form-data form of a route: files and text fields. */
export type UploadForm<F extends TObject = TObject> = {
  /** Names of file fields; the first is documented. */
  fileFields: readonly [string, ...string[]]
  /** The schema of the text fields. A list is sent as repeated fields or as one text with commas. */
  fields: F
  filesMax: number
  fieldsMax: number
  fieldBytesMax: number
  /** For the whole body. The receiver limits single files, because that depends on their type. */
  bytesMax: number
}

export type IncomingFile = {
  /** The name as sent: any text. */
  filename: string
  /** The type that the client claims; do not trust it. Lower case, without parameters. */
  contentType: string
  bytes: Readable
}

export type Upload<F> = {
  /**
   * Reads the whole body. `take` gets each file as it arrives and reads it to its end, or throws to refuse the request.
   * If this rejects, every `take` has ended, and the caller must remove the files that were taken.
   */
  receive<T>(take: (file: IncomingFile) => Promise<T>): Promise<{ fields: F; files: T[] }>
}

export type UploadFor<U> = U extends UploadForm<infer F> ? Upload<Static<F>> : undefined

/** Whether a request to a route with an upload is such a form. Routes without a `body` read nothing else. */
export function isForm({ body }: { body?: unknown }, { headers }: { headers: IncomingHttpHeaders }): boolean {
  return body === undefined || (headers['content-type'] ?? '').trim().toLowerCase().startsWith(formType)
}

const formType = 'multipart/form-data'
const timeouts = { silenceMs: 15_000, durationMs: 30 * 60_000 }

/**
 * The hook between the gate and the body. It refuses by the headers what is not such a form or too large, and exempts an
 * upload from the limits of ordinary requests; `readParts` has its own.
 * @param slowConnections the connections that the server's request timeout does not end.
 */
export function uploadPreHandler(
  route: { upload: UploadForm; body?: unknown },
  slowConnections: WeakSet<Socket>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const { upload: form } = route
  return async (request, reply) => {
    if (!isForm(route, request)) return
    const { headers, raw } = request
    multipartBoundary(headers, form)
    if (Number(headers['content-length'] ?? 0) > form.bytesMax) throw bodyTooLarge(form.bytesMax)
    const { socket } = raw
    slowConnections.add(socket)
    socket.setTimeout?.(0) // put back by Node at the connection's next request
    reply.raw.once('close', () => slowConnections.delete(socket))
  }
}

function multipartBoundary(headers: IncomingHttpHeaders, form: UploadForm): string {
  const type = parseHeaderParameters(headers['content-type'] ?? '')
  if (!(headers['content-type'] ?? '').trim().toLowerCase().startsWith(formType))
    throw unsupportedMediaType({ upload: form }, headers['content-type'])
  refuseContentEncoding(headers['content-encoding'])
  const boundary = type?.parameters.get('boundary') ?? ''
  // RFC 2046 section 5.1.1.
  if (!/^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/.test(boundary))
    throw invalidMultipart('has no boundary of 1 to 70 allowed characters in its Content-Type')
  requireUtf8(type?.parameters.get('charset')?.toLowerCase() ?? null, '/headers/content-type')
  return boundary
}

export function uploadReader(form: UploadForm, raw: IncomingMessage): Upload<Record<string, unknown>> {
  const checkFields = schemaCheck(form.fields, 'body')
  return {
    receive: async (take) => {
      const texts: [name: string, text: string][] = []
      const files: Awaited<ReturnType<typeof take>>[] = []
      const counts = { files: 0, fields: 0 }
      const takePart = async (part: Part): Promise<void> => {
        if (part.filename === null) {
          if (++counts.fields > form.fieldsMax) throw invalidMultipart(`has more than ${form.fieldsMax} text fields`)
          texts.push([part.name, await readTextField(part, form)])
          return
        }
        requireFileField(part, form)
        if (++counts.files > form.filesMax) throw invalidMultipart(`has more than ${form.filesMax} files`)
        // In the order sent, whichever finishes first.
        const index = counts.files - 1
        const { filename, contentType, bytes } = part
        files[index] = await take({ filename, contentType, bytes })
      }
      await readParts(raw, {
        boundary: multipartBoundary(raw.headers, form),
        bytesMax: form.bytesMax,
        partsMax: form.filesMax + form.fieldsMax,
        ...timeouts,
        onPart: takePart,
      })
      const fields = fieldValues(texts, form)
      await refuseBroken([() => (counts.files === 0 ? refuseMissingFile(form) : undefined), () => checkFields(fields)])
      return { fields, files }
    },
  }
}

function refuseMissingFile({ fileFields }: UploadForm): never {
  throw invalidField(`/body/${fileFields[0]}`, { code: 'required', message: 'is required, with a file name' })
}

function requireFileField({ name }: Part, { fileFields }: UploadForm): void {
  if (fileFields.includes(name)) return
  const message = `is not a field for files: send them as ${fileFields.join(', ')}`
  throw invalidField(`/body/${pointerToken(name)}`, { code: 'unknown', message })
}

async function readTextField(
  { name, charset, bytes }: Part,
  { fileFields, fieldBytesMax }: UploadForm,
): Promise<string> {
  const path = `/body/${pointerToken(name)}`
  if (fileFields.includes(name))
    throw invalidField(path, { code: 'file', message: 'must be a file, sent with a file name' })
  requireUtf8(charset, path)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > fieldBytesMax)
      throw invalidField(path, {
        code: 'maxLength',
        message: `is longer than ${fieldBytesMax} bytes`,
        refusal: 'BODY_TOO_LARGE',
      })
    chunks.push(chunk)
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
    if (isStorableText(text)) return text
  } catch {} // refused in the same words
  throw invalidField(path, { code: 'encoding', message: 'must be UTF-8 without NUL characters' })
}

function requireUtf8(charset: string | null, path: string): void {
  if (charset === null || ['utf-8', 'utf8', 'us-ascii'].includes(charset)) return
  throw invalidField(path, { code: 'charset', message: 'must be UTF-8' })
}

/** Converts texts to the types of the schema. A repeated name becomes a list. */
function fieldValues(texts: [name: string, text: string][], { fields }: UploadForm): Record<string, unknown> {
  const { properties } = fields as { properties: Record<string, { type?: string }> }
  const values: Record<string, unknown> = Object.create(null)
  for (const [name, sent] of Map.groupBy(texts, ([name]) => name)) {
    if (name === '__proto__')
      throw invalidField('/body/__proto__', { code: 'unknown', message: 'is not a known field' })
    const all = sent.map(([, text]) => text)
    const isList = Object.hasOwn(properties, name) && properties[name]?.type === 'array'
    if (isList)
      values[name] = all
        .flatMap((text) => text.split(','))
        .map((text) => text.trim())
        .filter((text) => text !== '')
    else values[name] = all.length === 1 ? all[0] : all
  }
  // An empty field means that the field is not set.
  for (const [name, value] of Object.entries(values)) if (value === '') delete values[name]
  return parseQuery(fields, values)
}
