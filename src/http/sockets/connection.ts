import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Clock } from '../../kernel/clock.ts'
import { Refusal, type RefusalCode, refusalDetail, refusals } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Admitted, Credentials, EndUserAccess, Origin } from '../access/access.ts'
import { type CloseCode, closing } from './close-codes.ts'
import { type FrameReader, frameBudget, idOf } from './frame-reader.ts'
import type { SocketMetrics } from './socket-metrics.ts'
import type { Frame, SocketPart, SocketSession, SocketSettings } from './socket-part.ts'
import { type Wire, wireOf } from './wire.ts'

export type EndUser = Extract<Admitted, { kind: 'endUser' }>

/** Where a connection came from, and with what: `admitted` where its token came with the upgrade. */
export type Arrival = {
  id: string
  address: string
  ip: string
  credentials: Credentials
  admitted: EndUser | null
}

/** What a connection needs of the server it is in. */
export type SocketHost = {
  settings: SocketSettings
  clock: Clock
  metrics: SocketMetrics
  /** Of the credentials of a first frame, with the limits of requests. */
  admit(access: EndUserAccess, credentials: Credentials, address: string): Promise<EndUser>
  /** Refuses with what would be refused now. */
  confirm(access: EndUserAccess, credentials: Credentials): Promise<void>
  /** The same for all that are open, who need not know it as exactly: those with one token are one question. */
  confirmTogether(access: EndUserAccess, credentials: Credentials): Promise<void>
  scopeOf(admitted: EndUser, origin: Origin): TenantScope
  /** One more of this user; false where there are too many. */
  count(userId: string): boolean
  left(socket: OpenSocket, userId: string | null): void
  /** Any error as a refusal; what is our own fault is logged. */
  refusalOf(error: unknown, about: { connectionId: string; userId: string | undefined }): Refusal
}

export type OpenSocket = {
  wire: Wire
  isAdmitted(): boolean
  /** Whether what admitted the client still holds; if not the connection is closed. */
  checkStanding(): Promise<void>
}

export type Opening = {
  stream: Duplex
  part: SocketPart
  access: EndUserAccess
  reader: FrameReader
  host: SocketHost
  arrival: Arrival
}

// So many frames of a client wait to be handled; then no more is read from it.
const waitingFramesMax = 4

/**
 * The life of one connection: who it is, its frames one after another, its end. Before it is admitted it can do
 * nothing but show a token.
 */
export function openConnection(
  webSocket: WebSocket,
  { stream, part, access, reader, host, arrival }: Opening,
): OpenSocket {
  const { settings, metrics } = host
  let user: EndUser['user'] | null = null
  let credentials = arrival.credentials
  let session: SocketSession | null = null
  let isOver = false
  const wire = wireOf(webSocket, stream, { settings, metrics, onDrained: () => session?.drained() })
  const lateness = setTimeout(() => {
    if (user === null) wire.close(closing.LATE, 'AUTH_TIMEOUT')
  }, settings.authMs)

  const begin = (admitted: EndUser, answerTo: { id?: string }): void => {
    if (isOver) return // it left while it was being admitted
    if (user === null && !host.count(admitted.user.id)) {
      wire.close(closing.TOO_MANY, 'RATE_LIMITED')
      return
    }
    clearTimeout(lateness)
    user = admitted.user
    wire.send(readyFrame(part, host, { connectionId: arrival.id, ...answerTo }))
    const { id, ip } = arrival
    const scope = host.scopeOf(admitted, { ip, requestId: id })
    session ??= part.open({ scope, user, connection: { id, refuse, ...wire } })
  }

  const authenticate = async (frame: Frame): Promise<void> => {
    clearTimeout(lateness)
    const shown = { ...arrival.credentials, bearer: frame['token'] as string }
    if (frame['apiKey'] !== undefined) shown.apiKey = frame['apiKey'] as string
    const admitted = await host.admit(access, shown, arrival.address)
    // A newer token of the same person prolongs the connection; another person makes another one.
    if (user !== null && user.id !== admitted.user.id) throw new Refusal('TOKEN_INVALID')
    credentials = shown
    begin(admitted, idOf(frame))
  }

  const handle = async (bytes: Buffer): Promise<void> => {
    if (wire.isClosing()) return
    let sent: Partial<Frame> = {}
    try {
      sent = reader.parse(bytes)
      const frame = await reader.check(sent)
      if (frame.type === 'auth') await authenticate(frame)
      else if (session === null) throw new Refusal('TOKEN_MISSING')
      else if (frame.type === 'ping') wire.send({ type: 'pong', ...idOf(frame) })
      else {
        // A frame is a request: what has ended does nothing more, not even until the next look at all connections.
        await host.confirm(access, credentials)
        await session.receive(frame)
      }
    } catch (error) {
      refuse(error, idOf(sent))
    }
  }

  const refuse = (error: unknown, answerTo: { id?: string }): void => {
    const refusal = host.refusalOf(error, { connectionId: arrival.id, userId: user?.id })
    metrics.refused(refusal.code)
    wire.send({ type: 'error', ...answerTo, ...errorOf(refusal) })
    const code = codeFor(refusal, user !== null)
    if (code !== null) wire.close(code, refusal.code)
  }

  readFrames(webSocket, { wire, host, handle })
  webSocket.on('error', () => undefined) // a frame against the protocol: ws closes with its code, 1009 for a large one
  webSocket.on('close', (code) => {
    clearTimeout(lateness)
    isOver = true
    metrics.closed(wire.closedWith() ?? code)
    session?.closed()
    host.left(opened, user?.id ?? null)
  })

  const checkStanding = async (): Promise<void> => {
    if (user === null || wire.isClosing()) return
    try {
      await host.confirmTogether(access, credentials)
    } catch (error) {
      // Fails open: while the database is away nobody is sent away, and nothing can be read or written either.
      if (error instanceof Refusal && isOfCredentials(error))
        wire.close(codeFor(error, true) ?? closing.UNAUTHENTICATED, error.code)
    }
  }
  const opened: OpenSocket = { wire, isAdmitted: () => user !== null, checkStanding }
  if (arrival.admitted !== null) begin(arrival.admitted, {})
  return opened
}

type Reading = { wire: Wire; host: SocketHost; handle: (bytes: Buffer) => Promise<void> }

/** One frame after another, within the client's budget; while too many wait nothing is read from it. */
function readFrames(webSocket: WebSocket, { wire, host, handle }: Reading): void {
  const { settings, clock, metrics } = host
  const hasRoom = frameBudget({ perSecond: settings.framesPerSecond, atOnceMax: settings.framesAtOnceMax, clock })
  let work: Promise<void> = Promise.resolve()
  let waiting = 0
  webSocket.on('message', (data: Buffer, isBinary: boolean) => {
    metrics.received.add()
    if (wire.isClosing()) return
    if (isBinary) return wire.close(closing.NOT_TEXT, 'BINARY')
    if (!hasRoom()) return wire.close(closing.TOO_MANY, 'RATE_LIMITED')
    if (++waiting >= waitingFramesMax) webSocket.pause()
    work = work
      .then(() => handle(data))
      .then(() => {
        if (--waiting < waitingFramesMax && webSocket.isPaused) webSocket.resume()
      })
  })
}

function readyFrame({ protocol }: SocketPart, { settings }: SocketHost, rest: object): object {
  const { frameBytesMax, framesPerSecond } = settings
  return { type: 'ready', ...rest, protocol, limits: { frameBytesMax, framesPerSecond } }
}

function errorOf(refusal: Refusal): object {
  const { code, options } = refusal
  const { errors, retryAfterSeconds } = options
  const detail = refusalDetail(refusal)
  return {
    code,
    message: refusals[code][1],
    ...(detail === null ? {} : { detail }),
    ...(errors === undefined ? {} : { errors }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds)) }),
  }
}

const forbidden: RefusalCode[] = ['TENANT_SUSPENDED', 'USER_SUSPENDED', 'PRODUCT_NOT_ALLOWED']

/** Which refusals end the connection, and with what; null: the client may go on. */
function codeFor({ code }: Refusal, isAdmitted: boolean): CloseCode | null {
  if (code === 'MALFORMED_JSON') return closing.NOT_JSON
  if (code === 'NOT_FOUND') return closing.GONE
  if (forbidden.includes(code)) return closing.FORBIDDEN
  if (refusals[code][0] === 401) return closing.UNAUTHENTICATED
  if (isAdmitted) return null
  // Whoever cannot say who they are within the limits is not asked again.
  return code === 'RATE_LIMITED' ? closing.TOO_MANY : closing.UNAUTHENTICATED
}

function isOfCredentials({ code }: Refusal): boolean {
  return forbidden.includes(code) || refusals[code][0] === 401
}
