import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../kernel/refusal.ts'
import type { Answer } from './answer.ts'
import { requireETag } from './cache/precondition.ts'

/** What a route with `file: true` answers with: bytes that never change, opened only when they are to be sent. */
export type StoredFile = {
  size: number
  /** Strong: a quoted text that no other bytes have. */
  etag: string
  /** Both ends included; `end` is before `start` for no bytes at all. */
  open(range: { start: number; end: number }): Promise<Readable>
}

/** The part of a file that is sent, by `Range` and `If-Range`; null: all of it. 'unsatisfiable': 416. */
export type RangeResult = { start: number; end: number } | null | 'unsatisfiable'

/**
 * One range as RFC 9110 section 14.1.2 reads it. What is no byte range, and several ranges at once, are answered with
 * all of it, as the RFC allows.
 */
export function parseRange(header: string | undefined, size: number): RangeResult {
  const [, from = '', to = ''] = /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header ?? '') ?? []
  if (from === '' && to === '') return null
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(from)
  if (to !== '' && Number(to) < start) return null
  return start >= size ? 'unsatisfiable' : { start, end: to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}

/** Whether an `If-None-Match` names the file (weakly compared, RFC 9110 section 13.1.2). */
function matchesIfNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

/** Answers conditions, ranges and HEAD for a file; a client that goes away closes it. */
export async function sendFile(
  { headers = {}, body }: Answer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { size, etag, open } = body as StoredFile
  const sent = request.headers
  const described = { ...headers, etag, 'accept-ranges': 'bytes' }
  requireETag(sent['if-match'], etag) // before all other conditions: RFC 9110 section 13.2.2
  if (matchesIfNoneMatch(sent['if-none-match'], etag))
    return reply.code(304).headers(described).removeHeader('content-type').send()
  // A date in If-Range never matches: what is served has none.
  const ifRange = sent['if-range'] as string | undefined
  const isSame = ifRange === undefined || ifRange.trim() === etag
  const wanted = isSame && request.method === 'GET' ? parseRange(sent.range, size) : null
  if (wanted === 'unsatisfiable')
    throw new Refusal('RANGE_NOT_SATISFIABLE', { headers: { 'content-range': `bytes */${size}` } })
  const { start, end } = wanted ?? { start: 0, end: size - 1 }
  // First: where it fails, nothing that describes the file may stand on the refusal.
  const bytes = request.method === 'HEAD' ? Readable.from([]) : await open({ start, end })
  reply
    .code(wanted === null ? 200 : 206)
    .headers(described)
    .header('content-length', end - start + 1)
  if (wanted !== null) reply.header('content-range', `bytes ${start}-${end}/${size}`)
  return reply.send(bytes)
}
