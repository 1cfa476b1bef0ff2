import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { finished, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Counter, Metrics } from '../kernel/metrics.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Admitted } from './access/callers.ts'
import { grantScopes } from './access/grants.ts'
import { clientAddress, clientBucket } from './client-address.ts'
import { endUnreadRequest } from './error-refusal.ts'
import { type BodyHold, bodyMemory } from './limits/body-memory.ts'
import { bodySettings } from './limits/body-settings.ts'
import { slowBodies } from './limits/slow-bodies.ts'
import type { BodyLimitRequest, Route } from './route.ts'
import type { ServerDeps } from './server-deps.ts'

/** Bodies up to this size have nearly always arrived with their headers. */
const smallBytesMax = 64 * 1024
/** Every route accepts such bodies from anybody, if at all: a route need not know who sends them. */
const bytesOfAnybodyMax = 1024 * 1024

/**
 * Bounds the memory for bodies, and the time that a sender may take. A request that does not fit now is refused with
 * UNAVAILABLE and may be repeated. Uploads have limits of their own, because they are not kept in memory.
 */
export function bodyBudget({ handle, metrics, bodies }: Pick<ServerDeps, 'handle' | 'metrics' | 'bodies'>) {
  const settings = { ...bodySettings, ...bodies }
  const memories = { known: bodyMemory(settings.knownBytesMax), strangers: bodyMemory(settings.strangersBytesMax) }
  const slow = slowBodies(settings)
  const ended = bodyMetrics(metrics, memories)

  /** Holds memory for a body until its request is answered or its client is gone, and ends the request if it has to. */
  const holdFor = ({ request, reply }: Pick<Arriving, 'request' | 'reply'>, isKnown: boolean): BodyHold => {
    const { raw } = request
    const end = (cause: 'slow' | 'memory') => {
      ended[cause].add()
      // Counted instead: clients that send slowly or too much must not fill the log.
      if (request.observed) request.observed.isLogged = true
      endUnreadRequest(raw.socket, cause, request.id)
    }
    const memory = isKnown || hasCredential(request.admitted) ? memories.known : memories.strangers
    const hold = memory.hold(clientBucket(request), () => end('memory'))
    finished(reply.raw, hold.release)
    raw.once('end', hold.arrived)
    // An answered request is not told that it is too slow.
    if (raw.complete === false)
      finished(
        reply.raw,
        slow.watch(raw, () => end('slow')),
      )
    return hold
  }

  /** How much of the body is read, and whether it is kept. Asks the route, where it knows who sends a large one. */
  const limitOf = async ({ rawBody }: Route, request: FastifyRequest, announcedBytes: number | null) => {
    const isOfAnybody = announcedBytes !== null && announcedBytes <= bytesOfAnybodyMax
    if (rawBody?.bodyLimitFor === undefined || isOfAnybody) return null
    const origin = { ip: clientAddress(request), requestId: request.id }
    const { platform } = grantScopes(request.admitted as Admitted, handle, origin) as Pick<BodyLimitRequest, 'platform'>
    const { params, query } = request as unknown as Pick<BodyLimitRequest, 'params' | 'query'>
    return rawBody.bodyLimitFor({ platform, params, query })
  }

  const limitLarge = async (
    declared: Route,
    { request, reply, payload }: Arriving,
    announcedBytes: number | null,
  ): Promise<Readable> => {
    const limit = await limitOf(declared, request, announcedBytes)
    const bytesMax = limit?.bytesMax ?? (request.routeOptions.bodyLimit as number)
    // Refused before room is taken, with 413 and not 503: a repeat would be too large again.
    if (announcedBytes !== null && announcedBytes > bytesMax) throw new Refusal('BODY_TOO_LARGE')
    const isKept = limit?.isKept ?? true
    const hold = holdFor({ request, reply }, limit?.isKept === true)
    // Room for the whole body at once: otherwise many large bodies would be read halfway and then fail.
    let held = announcedBytes ?? unannouncedBytes(request.raw, bytesMax)
    if (isKept) hold.add(held)
    return countedStream(payload, reply.raw, {
      onChunk: (bytes) => {
        if (bytes > bytesMax) throw new Refusal('BODY_TOO_LARGE')
        if (isKept && bytes > held) {
          hold.add(bytes - held)
          held = bytes
        }
        return isKept
      },
      onEnd: (bytes) => {
        if (isKept) hold.giveBack(held - bytes)
      },
    })
  }

  return (declared: Route) =>
    (request: FastifyRequest, reply: FastifyReply, payload: Readable, done: Done): void => {
      const { raw } = request
      const announced = raw.headers['content-length']
      if (announced === undefined && raw.headers['transfer-encoding'] === undefined) {
        done(null, payload)
        return
      }
      const announcedBytes = announced === undefined ? null : Number(announced)
      if (announcedBytes === null || announcedBytes > smallBytesMax) {
        limitLarge(declared, { request, reply, payload }, announcedBytes).then((kept) => done(null, kept), done)
        return
      }
      // What has arrived is gone again in milliseconds. A body that came with its headers has arrived in the next tick: the parser lets
      // nothing else run before. To hold memory for it would take longer than to read it.
      if (raw.complete !== false) {
        done(null, payload)
        return
      }
      process.nextTick(() => {
        if (raw.complete) done(null, payload)
        else holdSmall(holdFor({ request, reply }, false), announcedBytes, done, payload)
      })
    }
}

/** The room for a body that does not announce its size: what is more is counted as it arrives. */
function unannouncedBytes(raw: IncomingMessage, bytesMax: number): number {
  return raw.complete ? raw.readableLength : Math.min(bytesMax, bytesOfAnybodyMax)
}

function hasCredential(admitted: Admitted | undefined): boolean {
  if (admitted === undefined || admitted.kind === 'open') return false
  if (admitted.kind === 'browser') return admitted.session !== null
  return admitted.kind !== 'tenantKey' || admitted.apiKey !== null
}

type Arriving = { request: FastifyRequest; reply: FastifyReply; payload: Readable }
type Done = (error: Error | null, payload?: Readable) => void

function holdSmall(hold: BodyHold, bytes: number, done: Done, payload: Readable): void {
  try {
    hold.add(bytes)
    done(null, payload)
  } catch (error) {
    done(error as Error)
  }
}

function bodyMetrics(
  metrics: Metrics,
  memories: Record<'known' | 'strangers', ReturnType<typeof bodyMemory>>,
): Record<'slow' | 'memory', Counter> {
  metrics.sampled(
    { name: 'http_body_bytes_held', help: 'Bytes of bodies in memory.', kind: 'gauge', labels: ['of'] },
    () => Object.entries(memories).map(([name, { heldBytes }]) => ({ labels: [name], value: heldBytes() })),
  )
  const ended = metrics.counter({
    name: 'http_bodies_ended_total',
    help: 'Requests ended in the middle of their body: it came too slowly, or its memory was needed.',
    labels: ['cause'],
  })
  return { slow: ended('slow'), memory: ended('memory') }
}

/** `onChunk` gets the bytes so far, and says whether they are kept. */
type Counting = { onChunk(bytes: number): boolean; onEnd(bytes: number): void }

/** Enforces the limit while bytes arrive; the framework compares the length with Content-Length. */
function countedStream(payload: Readable, answer: ServerResponse, { onChunk, onEnd }: Counting): Readable {
  const came = { receivedEncodedLength: 0 }
  const passedOn: Buffer[] = []
  // The reader has joined them into one buffer, and garbage collection may be far away. If the client left before the answer,
  // some chunks may still be unread.
  const free = () => {
    if (!answer.writableFinished || !kept.readableEnded) return
    for (const { buffer, length } of passedOn.splice(0))
      if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
  }
  async function* chunks() {
    // Stays open when the body is too long, because the answer must still be sent on it.
    for await (const chunk of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      came.receivedEncodedLength += chunk.length
      if (!onChunk(came.receivedEncodedLength)) continue
      // What a test injects belongs to the test.
      if (answer.socket instanceof Socket) passedOn.push(chunk)
      yield chunk
    }
    onEnd(came.receivedEncodedLength)
  }
  finished(answer, free)
  const kept = Readable.from(chunks(), { objectMode: false })
  return Object.defineProperty(kept, 'receivedEncodedLength', { get: () => came.receivedEncodedLength })
}
