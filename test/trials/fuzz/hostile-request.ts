import type { ApiOperation } from '../../harness/api-operations.ts'
import { hostileBody, validBody } from '../../harness/hostile-bodies.ts'
import { hostileParams, undecodableParams } from '../../harness/hostile-values.ts'
import type { Random } from '../../harness/seeded-random.ts'

export type HostileRequest = {
  operation: ApiOperation
  /** Without the base address. */
  url: string
  headers: Record<string, string>
  bytes: Buffer | undefined
  /** What is hostile about it, for a person. */
  what: string
}

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
/** The sizes of bodies: around the limits of the routes, and most of them small. */
const sizes = [
  [40, 50],
  [20, 2 * kibibyte],
  [20, 50 * kibibyte],
  [12, 250 * kibibyte],
  [4, mebibyte - kibibyte],
  [3, 4 * mebibyte - kibibyte],
  [0.7, 20 * mebibyte - kibibyte],
  [0.3, 25 * mebibyte - kibibyte],
  [0.2, 32 * mebibyte - kibibyte],
] as const

export type Choices = {
  random: Random
  /** The largest body that the operation has not refused as too large, as far as is known. */
  bytesMax: number
  pickId(param?: string): string
  headers: Record<string, string>
  nodeHeaders: Record<string, string>
}

/** What the document gives as an example, so that the service has something of everything. */
export function validRequest(
  operation: ApiOperation,
  { random, pickId, headers, nodeHeaders }: Choices,
): HostileRequest {
  const [body] = operation.bodies.filter(({ type }) => type === 'application/json')
  return {
    operation,
    url: operation.pathParams.reduce(
      (url, name) => url.replace(`{${name}}`, encodeURIComponent(pickId(name))),
      operation.path,
    ),
    headers: {
      ...(operation.isNode ? nodeHeaders : headers),
      ...(body === undefined ? {} : { 'content-type': body.type }),
    },
    bytes: body && validBody(body, random),
    what: 'valid',
  }
}

export function hostileRequest(operation: ApiOperation, choices: Choices): HostileRequest {
  const { random, bytesMax, pickId } = choices
  const size = Math.min(random.weighted(sizes), bytesMax)
  const body = operation.method === 'GET' ? null : hostileBody(operation, size, random)
  const path = operation.pathParams.reduce(
    (url, name) =>
      url.replace(
        `{${name}}`,
        pathParam(random, () => pickId(name)),
      ),
    operation.path,
  )
  const key =
    operation.method === 'POST' && random.below(4) === 0 ? { 'idempotency-key': `key-${random.below(50)}` } : {}
  const type = body === null ? {} : { 'content-type': random.below(30) === 0 ? 'application/json' : body.type }
  return {
    operation,
    url: path + queryText(operation, random, pickId),
    headers: { ...credentials(operation, choices), ...key, ...type },
    bytes: body?.bytes,
    what: body === null ? 'no body' : `${body.kind}, ${body.bytes.length} bytes, ${body.type}`,
  }
}

function pathParam(random: Random, pickId: () => string): string {
  return random.weighted([
    [8, encodeURIComponent(pickId())],
    [1, random.oneOf(['%00', '..%2f..%2fetc', '%F0%9F%98%80', 'a'.repeat(400), '__proto__', '1'])],
  ])
}

function queryText({ queryParams }: ApiOperation, random: Random, pickId: () => string): string {
  const pairs = queryParams
    .filter(() => random.below(3) === 0)
    // Waiting for changes is no load.
    .map(({ name, schema }) => `${name}=${name === 'wait' ? 0 : queryValue(schema, random, pickId)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function queryValue(schema: Record<string, unknown>, random: Random, pickId: () => string): string {
  const { examples = [], enum: words = [] } = schema as { examples?: unknown[]; enum?: unknown[] }
  const known = [...examples, ...words].map((value) => encodeURIComponent(String(value)))
  return random.weighted([
    [3, known.length === 0 ? '1' : random.oneOf(known)],
    [1, random.oneOf([...hostileParams, ...undecodableParams])],
    [1, encodeURIComponent(pickId())],
    [1, encodeURIComponent(random.oneOf(['a ', '%', '"', '-', '(', '\u0301', '*:']).repeat(random.below(4000)))],
  ])
}

function credentials({ isNode }: ApiOperation, { random, headers, nodeHeaders }: Choices): Record<string, string> {
  return random.weighted([
    [18, isNode ? nodeHeaders : headers],
    [1, {}],
    [1, { ...headers, authorization: `Bearer ${'a.'.repeat(random.below(2000))}` }],
  ])
}
