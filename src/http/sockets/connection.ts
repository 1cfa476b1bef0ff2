import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Clock } from '../../kernel/clock.ts'
import { Refusal, type RefusalCode, refusalDetail, refusals } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { EndUserAccess } from '../access/access.ts'
import type { Admitted, Credentials } from '../access/callers.ts'
import type { Origin } from '../access/grants.ts'
import { type CloseCode, closeCode } from './close-codes.ts'
import { type FrameReader, frameBudget, frameId } from './frame-reader.ts'
import type { Frame, SocketDeclaration, SocketSession, SocketSettings } from './socket-declaration.ts'
import type { SocketMetrics } from './socket-metrics.ts'
import { type SocketWriter, socketWriter } from './socket-writer.ts'

export type EndUser = Extract<Admitted, { kind: 'endUser' }>

/** The origin of a connection; `admitted` is set if the token came with the upgrade. */
export type Handshake = {
  id: string
  address: string
  ip: string
  credentials: Credentials
  admitted: EndUser | null
}

/** What a connection needs from its server. */
export type SocketHost = {
  settings: SocketSettings
  clock: Clock
  metrics: SocketMetrics
  /** Admits the credentials of a first frame, within the limits of requests. */
  admit(access: EndUserAccess, credentials: Credentials, address: string): Promise<EndUser>
  /** Checks the access again; refuses as a new request would be refused. */
  confirmAccess(access: EndUserAccess, credentials: Credentials): Promise<void>
  /** The same for all open connections at once; connections with the same token share one check. */
  confirmShared(access: EndUserAccess, credentials: Credentials): Promise<void>
  tenantScope(admitted: EndUser, origin: Origin): TenantScope
  /** Counts a connection of the user; false if there are too many. */
  countUser(userId: string): boolean
  removed(socket: OpenSocket, userId: string | null): void
  /** Maps any error to a refusal and logs our own faults. */
  toRefusal(error: unknown, about: { connectionId: string; userId: string | undefined }): Refusal
}

export type OpenSocket = {
  wire: SocketWriter
  isAdmitted(): boolean
  /** Checks whether the client's access is still valid; otherwise closes the connection. */
  checkAccess(): Promise<void>
}

export type Opening = {
  stream: Duplex
  part: SocketDeclaration
  access: EndUserAccess
  reader: FrameReader
  host: SocketHost
  arrival: Handshake
}

// Frames of a client that may wait; beyond this nothing more is read from it.
const waitingFramesMax = 4

/**
 * The life of one connection: authentication, frames one after another, and the end. Before it is admitted it can only send
 * a token.
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
  const wire = socketWriter(webSocket, stream, { settings, metrics, onDrained: () => session?.drained() })
  const authTimeout = setTimeout(() => {
    if (user === null) wire.close(closeCode.LATE, 'AUTH_TIMEOUT')
  }, settings.authMs)

  const begin = (admitted: EndUser, answerTo: { id?: string }): void => {
    if (isOver) return // it left while it was being admitted
    if (user === null && !host.countUser(admitted.user.id)) {
      wire.close(closeCode.TOO_MANY, 'RATE_LIMITED')
      return
    }
    clearTimeout(authTimeout)
    user = admitted.user
    wire.send(readyFrame(part, host, { connectionId: arrival.id, ...answerTo }))
    const { id, ip } = arrival
    const scope = host.tenantScope(admitted, { ip, requestId: id })
    session ??= part.open({ scope, user, connection: { id, refuse, ...wire } })
  }

  const authenticate = async (frame: Frame): Promise<void> => {
    clearTimeout(authTimeout)
    const shown = { ...arrival.credentials, bearer: frame['token'] as string }
    if (frame['apiKey'] !== undefined) shown.apiKey = frame['apiKey'] as string
    const admitted = await host.admit(access, shown, arrival.address)
    // A newer token of the same user prolongs the connection; another user needs a new connection.
    if (user !== null && user.id !== admitted.user.id) throw new Refusal('TOKEN_INVALID')
    credentials = shown
    begin(admitted, frameId(frame))
  }

  const handle = async (bytes: Buffer): Promise<void> => {
    if (wire.isClosing()) return
    let sent: Partial<Frame> = {}
    try {
      sent = reader.parse(bytes)
      const frame = await reader.check(sent)
      if (frame.type === 'auth') await authenticate(frame)
      else if (session === null) throw new Refusal('TOKEN_MISSING')
      else if (frame.type === 'ping') wire.send({ type: 'pong', ...frameId(frame) })
      else {
        // A frame is like a request: access is checked for each one, not only by the regular check.
        await host.confirmAccess(access, credentials)
        await session.receive(frame)
      }
    } catch (error) {
      refuse(error, frameId(sent))
    }
  }

  const refuse = (error: unknown, answerTo: { id?: string }): void => {
    const refusal = host.toRefusal(error, { connectionId: arrival.id, userId: user?.id })
    metrics.refused(refusal.code)
    wire.send({ type: 'error', ...answerTo, ...errorMembers(refusal) })
    const code = closeCodeFor(refusal, user !== null)
    if (code !== null) wire.close(code, refusal.code)
  }

  readFrames(webSocket, { wire, host, handle })
  webSocket.on('error', () => undefined) // a frame against the protocol: ws closes with its code, 1009 for a large one
  webSocket.on('close', (code) => {
    clearTimeout(authTimeout)
    isOver = true
    metrics.closed(wire.closedWith() ?? code)
    session?.closed()
    host.removed(opened, user?.id ?? null)
  })

  const checkAccess = async (): Promise<void> => {
    if (user === null || wire.isClosing()) return
    try {
      await host.confirmShared(access, credentials)
    } catch (error) {
      // Fails open: while the database is unreachable clients stay connected, but can neither read nor write.
      if (error instanceof Refusal && endsAccess(error))
        wire.close(closeCodeFor(error, true) ?? closeCode.UNAUTHENTICATED, error.code)
    }
  }
  const opened: OpenSocket = { wire, isAdmitted: () => user !== null, checkAccess }
  if (arrival.admitted !== null) begin(arrival.admitted, {})
  return opened
}

type Reading = { wire: SocketWriter; host: SocketHost; handle: (bytes: Buffer) => Promise<void> }

/** Handles frames one after another, within the client's budget; stops reading while too many wait. */
function readFrames(webSocket: WebSocket, { wire, host, handle }: Reading): void {
  const { settings, clock, metrics } = host
  const isWithinBudget = frameBudget({
    perSecond: settings.framesPerSecond,
    atOnceMax: settings.framesAtOnceMax,
    clock,
  })
  let work: Promise<void> = Promise.resolve()
  let waiting = 0
  webSocket.on('message', (data: Buffer, isBinary: boolean) => {
    metrics.received.add()
    if (wire.isClosing()) return
    if (isBinary) return wire.close(closeCode.NOT_TEXT, 'BINARY')
    if (!isWithinBudget()) return wire.close(closeCode.TOO_MANY, 'RATE_LIMITED')
    if (++waiting >= waitingFramesMax) webSocket.pause()
    work = work
      .then(() => handle(data))
      .then(() => {
        if (--waiting < waitingFramesMax && webSocket.isPaused) webSocket.resume()
      })
  })
}

function readyFrame({ protocol }: SocketDeclaration, { settings }: SocketHost, rest: object): object {
  const { frameBytesMax, framesPerSecond } = settings
  return { type: 'ready', ...rest, protocol, limits: { frameBytesMax, framesPerSecond } }
}

function errorMembers(refusal: Refusal): object {
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

/** The close code for a refusal; null if the connection stays open. */
function closeCodeFor({ code }: Refusal, isAdmitted: boolean): CloseCode | null {
  if (code === 'MALFORMED_JSON') return closeCode.NOT_JSON
  if (forbidden.includes(code)) return closeCode.FORBIDDEN
  if (refusals[code][0] === 401) return closeCode.UNAUTHENTICATED
  if (isAdmitted) return null
  // A client that cannot authenticate within the limits is disconnected.
  return code === 'RATE_LIMITED' ? closeCode.TOO_MANY : closeCode.UNAUTHENTICATED
}

function endsAccess({ code }: Refusal): boolean {
  return forbidden.includes(code) || refusals[code][0] === 401
}
