import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { Refusal, type RefusalCode, refusalDetail, refusals } from '../../kernel/refusal.ts'
import type { EndUserAccess } from '../access/access.ts'
import { type CloseCode, closeCode } from './close-codes.ts'
import { takeFrames } from './frame-intake.ts'
import { type FrameReader, frameId } from './frame-reader.ts'
import type { Frame, SocketDeclaration, SocketSession } from './socket-declaration.ts'
import type { EndUser, FrameCaller, Handshake, OpenSocket, SocketHost } from './socket-host.ts'
import { socketWriter } from './socket-writer.ts'

export type Opening = {
  stream: Duplex
  part: SocketDeclaration
  access: EndUserAccess
  reader: FrameReader
  host: SocketHost
  arrival: Handshake
}

/**
 * The life of one connection: authentication, frames one after another, and the end. Before it is admitted it can only send
 * a token.
 */
export function openConnection(
  webSocket: WebSocket,
  { stream, part, access, reader, host, arrival }: Opening,
): OpenSocket {
  const { settings, metrics } = host
  const reenter = host.loop.capture()
  let admitted: EndUser | null = null
  let credentials = arrival.credentials
  let session: SocketSession | null = null
  let refusedFrames = 0
  let isOver = false
  const wire = socketWriter(webSocket, stream, { settings, metrics, onDrained: () => session?.drained() })
  const authTimeout = setTimeout(() => {
    if (admitted === null) wire.close(closeCode.LATE, 'AUTH_TIMEOUT')
  }, settings.authMs)

  const begin = (now: EndUser, answerTo: { id?: string }): void => {
    if (isOver) return // it left while it was being admitted
    if (admitted === null) host.count(now)
    clearTimeout(authTimeout)
    admitted = now
    wire.send(readyFrame(part, host, { connectionId: arrival.id, ...answerTo }))
    const { id, ip } = arrival
    const scope = host.tenantScope(admitted, { ip, requestId: id })
    session ??= part.open({ scope, user: admitted.user, connection: { id, refuse, ...wire } })
  }

  const authenticate = async (frame: Frame): Promise<void> => {
    clearTimeout(authTimeout)
    const shown = { ...arrival.credentials, bearer: frame['token'] as string }
    if (frame['apiKey'] !== undefined) shown.apiKey = frame['apiKey'] as string
    const now = await host.admit(access, shown, arrival.address)
    // A newer token of the same user prolongs the connection; another user needs a new connection.
    if (admitted !== null && admitted.user.id !== now.user.id) throw new Refusal('TOKEN_INVALID')
    if (admitted === null) await host.chargeFrame(now, arrival.address)
    credentials = shown
    begin(now, frameId(frame))
  }

  /** Counts every frame, also an invalid one, like a request. */
  const charge = async (): Promise<void> => {
    if (admitted === null) return
    const isFull = await host.chargeFrame(admitted, arrival.address).catch((error: unknown) => error)
    if (isFull === undefined) {
      refusedFrames = 0
      return
    }
    if (++refusedFrames > settings.refusedFramesMax) wire.close(closeCode.TOO_MANY, 'RATE_LIMITED')
    throw isFull
  }

  const act = async (frame: Frame): Promise<void> => {
    if (frame.type === 'auth') return authenticate(frame)
    if (session === null) throw new Refusal('TOKEN_MISSING')
    if (frame.type === 'ping') return wire.send({ type: 'pong', ...frameId(frame) })
    // A frame is like a request: access is checked for each one, not only by the regular check.
    admitted = await host.confirmAccess(access, credentials)
    await session.receive(frame)
  }

  const handle = async (bytes: Buffer): Promise<void> => {
    if (wire.isClosing()) return
    const read = () => {
      reenter()
      return reader(bytes)
    }
    const { sent, frame, error, isCovered } = await host.readFrame(frameCaller(admitted, arrival), read)
    reenter()
    if (!isCovered) return wire.close(closeCode.TOO_MANY, 'TOO_COSTLY')
    try {
      await charge()
      if (frame === null) throw error
      await act(frame)
    } catch (reason) {
      refuse(reason, frameId(sent))
    }
  }

  const refuse = (error: unknown, answerTo: { id?: string }): void => {
    const refusal = host.toRefusal(error, { connectionId: arrival.id, userId: admitted?.user.id })
    metrics.refused(refusal.code)
    wire.send({ type: 'error', ...answerTo, ...errorMembers(refusal) })
    const code = closeCodeFor(refusal, admitted !== null)
    if (code !== null) wire.close(code, refusal.code)
  }

  takeFrames(webSocket, { wire, host, handle })
  webSocket.on('error', () => undefined) // a frame against the protocol: ws closes with its code, 1009 for a large one
  webSocket.on('close', (code) => {
    clearTimeout(authTimeout)
    isOver = true
    metrics.closed(wire.closedWith() ?? code)
    session?.closed()
    host.removed(opened, admitted)
  })

  const checkAccess = async (): Promise<void> => {
    if (admitted === null || wire.isClosing()) return
    try {
      await host.confirmShared(access, credentials)
    } catch (error) {
      // Fails open: while the database is unreachable clients stay connected, but can neither read nor write.
      if (error instanceof Refusal && endsAccess(error))
        wire.close(closeCodeFor(error, true) ?? closeCode.UNAUTHENTICATED, error.code)
    }
  }
  const opened: OpenSocket = { wire, isAdmitted: () => admitted !== null, checkAccess }
  try {
    if (arrival.admitted !== null) begin(arrival.admitted, {})
  } catch (error) {
    refuse(error, {})
  }
  return opened
}

function frameCaller(admitted: EndUser | null, { address }: Handshake): FrameCaller {
  if (admitted === null) return { share: `address:${address}`, turn: `address:${address}` }
  return { share: admitted.user.id, turn: admitted.tenant.tenantId }
}

function readyFrame({ protocol }: SocketDeclaration, { settings }: SocketHost, rest: object): object {
  const { frameBytesMax, framesPerSecond } = settings
  return { type: 'ready', ...rest, protocol, limits: { frameBytesMax, framesPerSecond } }
}

function errorMembers(refusal: Refusal): object {
  const { code, options } = refusal
  const { errors, usage, retryAfterSeconds } = options
  const detail = refusalDetail(refusal)
  return {
    code,
    message: refusals[code][1],
    ...(detail === null ? {} : { detail }),
    ...(errors === undefined ? {} : { errors }),
    ...(usage === undefined ? {} : { usage }),
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
