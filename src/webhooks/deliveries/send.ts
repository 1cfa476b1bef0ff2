import type { ClientRequest, IncomingMessage } from 'node:http'
import { storableText } from '../../kernel/storable-text.ts'
import { type Reach, urlProblem } from '../endpoints/addresses.ts'
import { AddressRefused, guardedLookup, NameUnknown, type Resolve, resolveFor } from './resolve.ts'
import { type Outcome, pauseOf, type Result } from './retry.rules.ts'

export type Posting = { url: string; headers: Record<string, string>; body: string; now: Date; signal: AbortSignal }
/** One try. Rejects only when `signal` aborts: how the receiver behaves is an outcome. */
export type Send = (posting: Posting) => Promise<Outcome>

export type SendSettings = {
  reach: Reach
  /** For the whole of a try, from the name to the end of the answer. */
  timeoutMs: number
  resolve?: Resolve
}

/** More of an answer is not read. */
const answerBytesMax = 64 * 1024
const answerCharsKept = 1024
/** More headers than any receiver has a reason to send. */
const headerBytesMax = 16 * 1024

/**
 * Posts to an address of the public internet and reads a bounded answer. Follows no redirect, keeps no connection, and
 * believes a name only as far as the address that it connects to.
 */
export function senderOf({ reach, timeoutMs, resolve = resolveFor(reach) }: SendSettings): Send {
  const lookup = guardedLookup(resolve, reach)

  return async ({ url, headers, body, now, signal }) => {
    // Rules may have become stricter since the endpoint was made.
    if (urlProblem(url, reach) !== null) return failed('ADDRESS')
    const deadline = AbortSignal.timeout(timeoutMs)
    const ending = AbortSignal.any([signal, deadline])
    try {
      const request = open(new URL(url), { headers: { ...headers, ...fixedHeaders(body) }, lookup, signal: ending })
      const reply = await answerTo(request, body)
      return outcomeOf(reply, await beginningOf(reply), now)
    } catch (error) {
      signal.throwIfAborted()
      return failed(deadline.aborted ? 'TIMEOUT' : resultOf(error))
    }
  }
}

type Opening = { headers: Record<string, string>; lookup: ReturnType<typeof guardedLookup>; signal: AbortSignal }

/** Loaded with the first delivery: Node's HTTP client takes 0.05 s of a start. */
function open(url: URL, opening: Opening): ClientRequest {
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

/** What came is no answer to a request. */
class NoAnswer extends Error {}

function answerTo(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Stays to hear of what comes after the answer's head: nobody else would.
    request.on('error', reject)
    request.on('response', resolve)
    // Unasked for: without a listener Node drops the connection and says nothing.
    request.on('upgrade', (_reply, socket) => {
      // Nobody else listens now, and an error that nobody hears ends the process.
      socket.on('error', () => undefined)
      socket.destroy()
      reject(new NoAnswer('The receiver speaks another protocol.'))
    })
    request.on('close', () => reject(new NoAnswer('The connection ended without an answer.')))
    request.end(body)
  })
}

/** Reads until the end, the bound, or the deadline: the status has been said, and nothing behind it changes that. */
function beginningOf(reply: IncomingMessage): Promise<string> {
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

function outcomeOf({ statusCode = 0, headers }: IncomingMessage, answer: string, now: Date): Outcome {
  return {
    result: resultOfStatus(statusCode),
    statusCode,
    answer,
    pauseMs: pauseOf(statusCode, headers['retry-after'], now),
  }
}

function resultOfStatus(statusCode: number): Result {
  if (statusCode >= 200 && statusCode < 300) return 'DELIVERED'
  return statusCode >= 300 && statusCode < 400 ? 'REDIRECT' : 'STATUS'
}

function failed(result: Result): Outcome {
  return { result, statusCode: null, answer: null, pauseMs: null }
}

/** By the codes of Node's errors: the parser's, then those of OpenSSL's checks of a certificate, then its others. */
const causes: [RegExp, Result][] = [
  [/^HPE_/, 'ANSWER'],
  [/CERT|SELF_SIGNED|VERIFY|ISSUER|CRL|_CA$|_PURPOSE$|HOSTNAME_MISMATCH|PATH_LENGTH/, 'CERTIFICATE'],
  [/SSL|TLS|EPROTO/, 'TLS'],
]

function resultOf(error: unknown): Result {
  if (error instanceof AddressRefused) return 'ADDRESS'
  if (error instanceof NoAnswer) return 'ANSWER'
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (error instanceof NameUnknown || /^(query|getaddrinfo)/.test(String(syscall))) return 'NAME'
  return causes.find(([pattern]) => pattern.test(String(code)))?.[1] ?? 'CONNECTION'
}
