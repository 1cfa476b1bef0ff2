import { finished, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../kernel/refusal.ts'
import type { Admitted } from './access/callers.ts'
import { grantScopes } from './access/grants.ts'
import { clientAddress } from './client-address.ts'
import type { BodyLimit, BodyLimitRequest } from './route.ts'
import type { ServerDeps } from './server-deps.ts'

/** Smaller bodies need no check: every route accepts them from anybody. */
const smallBytesMax = 1024 * 1024
/** The total for all large bodies in memory at the same time. Each exists in several copies while it is stored. */
const heldBytesMax = 100 * 1024 * 1024

/** Bounds the memory for large bodies. A request that does not fit now is refused with UNAVAILABLE and may be retried. */
export function bodyBudget({ handle }: Pick<ServerDeps, 'handle'>) {
  let heldBytes = 0

  /** Reserves memory for one request until it is answered or its client disconnects. */
  const reserveFor = (reply: FastifyReply) => {
    let ownBytes = 0
    finished(reply.raw, () => {
      heldBytes -= ownBytes
    })
    return (bytes: number): void => {
      if (heldBytes + bytes > heldBytesMax) throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 5 })
      ownBytes += bytes
      heldBytes += bytes
    }
  }

  return (roomFor: (asked: BodyLimitRequest) => Promise<BodyLimit>) =>
    async (request: FastifyRequest, reply: FastifyReply, payload: Readable): Promise<Readable> => {
      const announced = request.headers['content-length']
      const announcedBytes = announced === undefined ? null : Number(announced)
      if (announcedBytes !== null && announcedBytes <= smallBytesMax) return payload
      const origin = { ip: clientAddress(request), requestId: request.id }
      const { platform } = grantScopes(request.admitted as Admitted, handle, origin) as Pick<
        BodyLimitRequest,
        'platform'
      >
      const { params, query } = request as unknown as Pick<BodyLimitRequest, 'params' | 'query'>
      const { bytesMax, isKept } = await roomFor({ platform, params, query })
      if (announcedBytes !== null && announcedBytes > bytesMax) throw new Refusal('BODY_TOO_LARGE')
      const hold = isKept ? reserveFor(reply) : null
      if (announcedBytes !== null) hold?.(announcedBytes)
      return countedStream(payload, (bytes, chunkBytes) => {
        if (bytes > bytesMax) throw new Refusal('BODY_TOO_LARGE')
        if (announcedBytes === null) hold?.(chunkBytes)
        return isKept
      })
    }
}

/** Enforces the limit while bytes arrive; the framework compares the length with Content-Length. */
function countedStream(payload: Readable, onChunk: (bytes: number, chunkBytes: number) => boolean): Readable {
  const came = { receivedEncodedLength: 0 }
  async function* chunks() {
    // Stays open when the body is too long, because the answer must still be sent on it.
    for await (const chunk of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      came.receivedEncodedLength += chunk.length
      if (onChunk(came.receivedEncodedLength, chunk.length)) yield chunk
    }
  }
  const kept = Readable.from(chunks(), { objectMode: false })
  return Object.defineProperty(kept, 'receivedEncodedLength', { get: () => came.receivedEncodedLength })
}
