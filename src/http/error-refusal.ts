import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, type RefusalCode, refusals } from '../kernel/refusal.ts'
import { sqlErrorRefusal } from '../storage/sql-error.ts'
import { securityHeaders } from './headers.ts'
import type { ProblemBody } from './problem.ts'

/** Whether the framework has no parser for the body's media type. The answer names the types of the route. */
export function isUnreadType(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
}

/** Maps any error to a refusal: refusals unchanged, framework errors by code, database errors by SQLSTATE, others to INTERNAL. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown }
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal('BODY_TOO_LARGE')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Refusal('VALIDATION_ERROR', { detail: 'Content-Length does not match the body.' })
    case 'FST_ERR_BAD_URL':
      return new Refusal('VALIDATION_ERROR', { detail: 'The URL cannot be decoded.' })
    case 'FST_ERR_MAX_PARAM_LENGTH':
    case 'FST_ERR_ASYNC_CONSTRAINT':
      return new Refusal('NOT_FOUND')
  }
  // The client has left. A lost database connection has the same code.
  if (code === 'ECONNRESET' && (error as Error).message === 'aborted')
    return new Refusal('REQUEST_TIMEOUT', { detail: 'The client closed the connection during the request.' })
  const ofDatabase = sqlErrorRefusal(error)
  if (ofDatabase !== null) return ofDatabase
  // The framework marks faults of the request with a 4xx status.
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return new Refusal('VALIDATION_ERROR', { detail: 'The request is not valid HTTP.' })
  return new Refusal('INTERNAL')
}

type ClientError = [status: string, code: RefusalCode, detail: string]

const clientErrors: Record<string, ClientError> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'REQUEST_TIMEOUT', 'The request took too long to arrive.'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'VALIDATION_ERROR', 'The headers are too large.'],
}
const noMemory: ClientError = [
  '503 Service Unavailable',
  'UNAVAILABLE',
  'The memory for bodies is needed for other requests. Send the request again later.',
]
const notHttp: ClientError = ['400 Bad Request', 'VALIDATION_ERROR', 'The request is not valid HTTP.']

/** When the HTTP parser refuses there is no request yet, so the whole answer is written here. */
export function onClientError(error: Error & { code?: string }, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET') return
  endConnection(socket, clientErrors[error.code ?? ''] ?? notHttp, requestId)
}

/** Ends a request whose body has not arrived, with an answer and the connection. `cause`: it is too slow, or too large for now. */
export function endUnreadRequest(socket: Socket, cause: 'slow' | 'memory', requestId: string): void {
  endConnection(
    socket,
    cause === 'memory' ? noMemory : (clientErrors['ERR_HTTP_REQUEST_TIMEOUT'] ?? notHttp),
    requestId,
  )
}

/** How long a sender has to read an answer that came before its body's end: long enough for a client across the world. */
const lingerMs = 1_000

/**
 * Answers a request whose body is not read, and closes its connection a moment later. Closed at once it would be reset,
 * because unread bytes are waiting, and the answer might be lost. Reading them costs more: when 800 bodies are refused
 * at once, that is 400 MB.
 */
export function answerUnread(
  { raw, observed }: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body }: { status: number; headers: Record<string, string>; body: ProblemBody },
): void {
  const text = JSON.stringify(body)
  const length = { 'content-length': Buffer.byteLength(text) }
  reply.hijack()
  reply.raw.writeHead(status, { ...(reply.getHeaders() as Record<string, string>), ...headers, ...length })
  reply.raw.write(text)
  if (observed) observed.answeredMs = performance.now()
  raw.socket.pause()
  setTimeout(() => reply.raw.end(), lingerMs).unref()
}

function endConnection(socket: Socket, [status, code, detail]: ClientError, requestId: string): void {
  if (socket.destroyed || !socket.writable) return
  const body = JSON.stringify({
    type: `/docs/errors#${code}`,
    title: refusals[code][1],
    status: Number.parseInt(status, 10),
    detail,
    code,
    requestId,
  })
  const headers = {
    ...securityHeaders,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
  // A client that keeps its side open must not keep what it has sent so far in memory.
  socket.destroySoon()
}
