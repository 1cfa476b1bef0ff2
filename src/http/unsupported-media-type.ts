import { Refusal } from '../kernel/refusal.ts'

/** The part of a route that says what it reads. */
type Reads = { rawBody?: { examples: Record<string, unknown> }; upload?: unknown; body?: unknown }

const shortTypePattern = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/

/** The media types that a route reads; a route without a body of its own reads JSON. */
function readMediaTypes({ rawBody, upload, body }: Reads): string[] {
  if (upload) return body === undefined ? ['multipart/form-data'] : ['multipart/form-data', 'application/json']
  return rawBody === undefined ? ['application/json'] : Object.keys(rawBody.examples)
}

/** 415 with the types that the route reads, in the detail and in `Accept` (RFC 9110 section 15.5.16). */
export function unsupportedMediaType(route: Reads | undefined, contentType: string | undefined): Refusal {
  const types = readMediaTypes(route ?? {}).join(', ')
  const sent = contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
  return new Refusal('UNSUPPORTED_MEDIA_TYPE', {
    detail: `${sentence(sent)} This route accepts ${types}.`,
    headers: { accept: types },
  })
}

function sentence(sent: string): string {
  if (sent === '') return 'The body has no Content-Type.'
  return shortTypePattern.test(sent) ? `The body was sent as ${sent}.` : 'Content-Type is not a media type.'
}

/** Refuses a compressed body: no route reads one. */
export function refuseContentEncoding(encoding: string | undefined): void {
  if (encoding === undefined || encoding.trim().toLowerCase() === 'identity') return
  throw new Refusal('UNSUPPORTED_MEDIA_TYPE', {
    detail: `Send the body without Content-Encoding: ${encoding.slice(0, 40)}.`,
    headers: { 'accept-encoding': 'identity' },
  })
}
