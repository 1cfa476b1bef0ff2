import type { TSchema } from 'typebox'
import type { TenantScope } from '../../storage/scope.ts'
import type { UserCaller } from '../access/callers.ts'
import type { CloseCode } from './close-codes.ts'

/** A client's validated frame. The answer repeats the client's `id`. */
export type Frame = { type: string; id?: string } & Record<string, unknown>

/** A client, as a capability sees it. Nothing here throws; frames to a disconnected client are dropped. */
export type Connection = {
  readonly id: string
  send(frame: object): void
  /** Sends frames that were encoded once for many clients. */
  sendEncoded(frames: Buffer[]): void
  /** Whether too much is waiting for the client; then wait for `drained` before sending more. */
  isFull(): boolean
  close(code: CloseCode, reason: string): void
  /** Reports a later failure. Errors that `receive` throws are reported automatically. */
  refuse(error: unknown, answerTo: { id?: string }): void
}

/** What a capability does for one client. */
export type SocketSession = {
  /** Gets one frame at a time, in order. A refusal becomes an `error` frame. */
  receive(frame: Frame): Promise<void>
  /** Called when everything that waited has been sent. */
  drained(): void
  closed(): void
}

export type SocketClient = { scope: TenantScope; user: UserCaller; connection: Connection }

/** A WebSocket route. `http` authenticates, limits and validates; the capability handles the frames. */
export type SocketDeclaration = {
  /** The sub-protocol; a client that only offers others is refused. */
  protocol: string
  /** The client's frames, by `type`. */
  frames: Record<string, TSchema>
  open(opened: SocketClient): SocketSession
}

export type SocketSettings = {
  /** Maximum for this process; further ones are refused with 503. */
  socketsMax: number
  /** Maximum per user in this process. */
  socketsPerUserMax: number
  /** Maximum per tenant in this process. */
  socketsPerTenantMax: number
  /** Empty for any. Browsers send none of our credentials by themselves, so a foreign page gains nothing. */
  origins: readonly string[]
  frameBytesMax: number
  framesPerSecond: number
  framesAtOnceMax: number
  /** Processor time that reading and checking the frames of one user may take, over all its connections. */
  frameMsPerSecond: number
  frameMsAtOnceMax: number
  /** A client that sends so many frames in a row beyond its rate limit is disconnected. */
  refusedFramesMax: number
  /** The time within which the first frame must carry a token. */
  authMs: number
  /** How often access is checked again; an ended token, session, user or tenant then closes the connection. */
  accessCheckMs: number
  /** A client that has not answered a ping by the next one is disconnected. */
  pingIntervalMs: number
  /** With more unsent bytes than this a client gets no further frames until it has read. */
  bufferedBytesMax: number
  /** A client that has not read in this time is disconnected. */
  slowReaderMs: number
  /** How long to wait for the client's close frame. */
  closeTimeoutMs: number
}

export const socketSettings: SocketSettings = {
  socketsMax: 10_000,
  // Every tab and device of a person, also while connections that broke are not yet gone.
  socketsPerUserMax: 20,
  socketsPerTenantMax: 500,
  origins: [],
  frameBytesMax: 64 * 1024,
  framesPerSecond: 20,
  framesAtOnceMax: 40,
  // The largest honest frames cost 0.5 ms on a slow machine, and those of speech a hundredth of that.
  frameMsPerSecond: 20,
  frameMsAtOnceMax: 200,
  refusedFramesMax: 20,
  authMs: 5_000,
  accessCheckMs: 3_000,
  pingIntervalMs: 30_000,
  bufferedBytesMax: 128 * 1024,
  slowReaderMs: 15_000,
  closeTimeoutMs: 2_000,
}
