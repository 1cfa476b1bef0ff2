import type { ClientRequest, IncomingMessage } from 'node:http'
import { storableText } from '../../kernel/storable-text.ts'
import {
  AddressNotAllowed,
  guardedLookup,
  NameNotFound,
  type Resolve,
  resolverFor,
} from '../../outgoing/host-lookup.ts'
import { type AllowedHosts, urlProblem } from '../../outgoing/target-address.ts'
import { type Outcome, type Result, retryAfterMs } from './retry.rules.ts'

export type WebhookRequest = {
  url: string
  headers: Record<string, string>
  body: string
  now: Date
  signal: AbortSignal
}
/** Makes one attempt. Rejects only if `signal` aborts: whatever the receiver does is an outcome. */
export type Send = (posting: WebhookRequest) => Promise<Outcome>

export type SendSettings = {
  allowedHosts: AllowedHosts
  /** For the whole attempt, from resolving the name to the end of the response. */
  timeoutMs: number
  resolve?: Resolve
}

/** The rest of a longer response is not read. */
const answerBytesMax = 64 * 1024
const answerCharsKept = 1024
/** More headers than any receiver has a reason to send. */
const headerBytesMax = 16 * 1024

/**
 * Posts to a public address and reads a bounded response. Follows no redirect and keeps no connection. The address that
 * was checked is the one it connects to.
 */
export function createSender({ allowedHosts, timeoutMs, resolve = resolverFor(allowedHosts) }: SendSettings): Send {
  const lookup = guardedLookup(resolve, allowedHosts)

  return async ({ url, headers, body, now, signal }) => {
    // The rules may have become stricter since the endpoint was created.
    if (urlProblem(url, allowedHosts) !== null) return failureOutcome('ADDRESS')
    const deadline = AbortSignal.timeout(timeoutMs)
    const ending = AbortSignal.any([signal, deadline])
    try {
      const request = open(new URL(url), { headers: { ...headers, ...fixedHeaders(body) }, lookup, signal: ending })
      const reply = await receiveResponse(request, body)
      return responseOutcome(reply, await readResponseStart(reply), now)
    } catch (error) {
      signal.throwIfAborted()
      return failureOutcome(deadline.aborted ? 'TIMEOUT' : errorResult(error))
    }
  }
}

type RequestOptions = { headers: Record<string, string>; lookup: ReturnType<typeof guardedLookup>; signal: AbortSignal }

/** Loaded with the first delivery: loading Node's HTTP client takes 0.05 s. */
function open(url: URL, opening: RequestOptions): ClientRequest {
  const client = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  return client.request(url, { ...opening, method: 'POST', agent: false, maxHeaderSize: headerBytesMax })
}

function fixedHeaders(body: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'Atrium-Webhooks/1',
    accept: '*/*',
  }
}

/** The response is not valid HTTP. */
class InvalidResponse extends Error {}

function receiveResponse(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Stays after the response head, to catch later errors.
    request.on('error', reject)
    request.on('response', resolve)
    // Without this listener Node drops an upgraded connection without any event.
    request.on('upgrade', (_reply, socket) => {
      // An error without a listener would end the process.
      socket.on('error', () => undefined)
      socket.destroy()
      reject(new InvalidResponse('The receiver switched to another protocol.'))
    })
    request.on('close', () => reject(new InvalidResponse('The connection ended without an answer.')))
    request.end(body)
  })
}

/** Reads up to the end, the size limit or the deadline. The status decides the result, so a body that breaks off is fine. */
function readResponseStart(reply: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const done = () => {
      reply.destroy()
      resolve(storableText(Buffer.concat(chunks).toString('utf8'), answerCharsKept))
    }
    reply.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.byteLength
      if (bytes >= answerBytesMax) done()
    })
    reply.on('end', done)
    reply.on('error', done)
    reply.on('close', done)
  })
}

function responseOutcome({ statusCode = 0, headers }: IncomingMessage, answer: string, now: Date): Outcome {
  return {
    result: statusResult(statusCode),
    statusCode,
    answer,
    pauseMs: retryAfterMs(statusCode, headers['retry-after'], now),
  }
}

function statusResult(statusCode: number): Result {
  if (statusCode >= 200 && statusCode < 300) return 'DELIVERED'
  return statusCode >= 300 && statusCode < 400 ? 'REDIRECT' : 'STATUS'
}

function failureOutcome(result: Result): Outcome {
  return { result, statusCode: null, answer: null, pauseMs: null }
}

/** By Node's error codes: the parser's, then OpenSSL's certificate checks, then other TLS errors. */
const errorResults: [RegExp, Result][] = [
  [/^HPE_/, 'ANSWER'],
  [/CERT|SELF_SIGNED|VERIFY|ISSUER|CRL|_CA$|_PURPOSE$|HOSTNAME_MISMATCH|PATH_LENGTH/, 'CERTIFICATE'],
  [/SSL|TLS|EPROTO/, 'TLS'],
]

function errorResult(error: unknown): Result {
  if (error instanceof AddressNotAllowed) return 'ADDRESS'
  if (error instanceof InvalidResponse) return 'ANSWER'
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (error instanceof NameNotFound || /^(query|getaddrinfo)/.test(String(syscall))) return 'NAME'
  return errorResults.find(([pattern]) => pattern.test(String(code)))?.[1] ?? 'CONNECTION'
}
