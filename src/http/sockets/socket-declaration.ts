import type { TSchema } from 'typebox'
import type { TenantScope } from '../../storage/scope.ts'
import type { UserCaller } from '../access/callers.ts'
import type { CloseCode } from './close-codes.ts'

/** A frame of a client that has passed its schema. `id` is the client's own: the answer to the frame carries it again. */
export type Frame = { type: string; id?: string } & Record<string, unknown>

/** One client, as a capability sees it. Nothing here throws: what is sent to one who has left is lost. */
export type Connection = {
  readonly id: string
  send(frame: object): void
  /** Frames that are encoded once and sent to many. */
  sendEncoded(frames: Buffer[]): void
  /** Whether so much waits for the client that more should be kept back until the session is told `drained`. */
  isFull(): boolean
  close(code: CloseCode, reason: string): void
  /** What `receive` throws is refused by itself; this is for what fails later. */
  refuse(error: unknown, answerTo: { id?: string }): void
}

/** What a capability does for one client. */
export type SocketSession = {
  /** One frame at a time, in the order in which they came. A refusal becomes an `error` frame; NOT_FOUND also ends the connection. */
  receive(frame: Frame): Promise<void>
  /** All that waited has been sent. */
  drained(): void
  closed(): void
}

export type SocketClient = { scope: TenantScope; user: UserCaller; connection: Connection }

/** A WebSocket route. `http` authenticates, limits and validates; the capability handles the frames. */
export type SocketDeclaration = {
  /** The sub-protocol; a client that offers others alone is refused. */
  protocol: string
  /** The frames that a client may send, by `type`. */
  frames: Record<string, TSchema>
  open(opened: SocketClient): SocketSession
}

export type SocketSettings = {
  /** Of this process; the next one is refused with 503. */
  socketsMax: number
  /** Of one user in this process. */
  socketsPerUserMax: number
  /** Empty: any. No credential of ours travels by itself, so a page of somebody else's brings nothing along. */
  origins: readonly string[]
  frameBytesMax: number
  framesPerSecond: number
  framesAtOnceMax: number
  /** The time in which the first frame must bring a token. */
  authMs: number
  /** How often access is checked again: an ended token, session, user or tenant closes the connection then. */
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
  // A meeting of a thousand screens, all of them connecting anew before the old ones are given up.
  socketsPerUserMax: 2_000,
  origins: [],
  frameBytesMax: 64 * 1024,
  framesPerSecond: 20,
  framesAtOnceMax: 40,
  authMs: 5_000,
  accessCheckMs: 3_000,
  pingIntervalMs: 30_000,
  bufferedBytesMax: 128 * 1024,
  slowReaderMs: 15_000,
  closeTimeoutMs: 2_000,
}
