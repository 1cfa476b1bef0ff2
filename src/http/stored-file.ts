import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../kernel/refusal.ts'
import type { Answer } from './answer.ts'
import { requireETag } from './cache/precondition.ts'

/** The answer of a route with `file: true`: immutable bytes, opened only when they are sent. */
export type StoredFile = {
  size: number
  /** A strong entity tag, in quotes. */
  etag: string
  /** Both ends included; `end` is less than `start` for an empty range. */
  open(range: { start: number; end: number }): Promise<Readable>
}

/** The range to send, by `Range` and `If-Range`; null for the whole file, 'unsatisfiable' for 416. */
export type RangeResult = { start: number; end: number } | null | 'unsatisfiable'

/**
 * Parses one range by RFC 9110 section 14.1.2. Other units and several ranges get the whole file, as the RFC allows.
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

/** Handles conditions, ranges and HEAD for a file; closes the file when the client disconnects. */
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
  // A date in If-Range never matches, because files have no date.
  const ifRange = sent['if-range'] as string | undefined
  const isSame = ifRange === undefined || ifRange.trim() === etag
  const wanted = isSame && request.method === 'GET' ? parseRange(sent.range, size) : null
  if (wanted === 'unsatisfiable')
    throw new Refusal('RANGE_NOT_SATISFIABLE', { headers: { 'content-range': `bytes */${size}` } })
  const { start, end } = wanted ?? { start: 0, end: size - 1 }
  // First, because a refusal must not carry headers of the file.
  const bytes = request.method === 'HEAD' ? Readable.from([]) : await open({ start, end })
  reply
    .code(wanted === null ? 200 : 206)
    .headers(described)
    .header('content-length', end - start + 1)
  if (wanted !== null) reply.header('content-range', `bytes ${start}-${end}/${size}`)
  return reply.send(bytes)
}
