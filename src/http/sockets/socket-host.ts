import type { Clock } from '../../kernel/clock.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { EndUserAccess } from '../access/access.ts'
import type { Admitted, Credentials } from '../access/callers.ts'
import type { Origin } from '../access/grants.ts'
import type { LoopWatch } from '../loop-watch.ts'
import type { ReadFrame } from './frame-reader.ts'
import type { SocketSettings } from './socket-declaration.ts'
import type { SocketMetrics } from './socket-metrics.ts'
import type { SocketWriter } from './socket-writer.ts'

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
  loop: Pick<LoopWatch, 'capture'>
  settings: SocketSettings
  clock: Clock
  metrics: SocketMetrics
  /** Admits the credentials of a first frame, within the limits of requests. */
  admit(access: EndUserAccess, credentials: Credentials, address: string): Promise<EndUser>
  /** Counts a frame like a request of its user. */
  chargeFrame(admitted: EndUser, address: string): Promise<void>
  /** Checks the access again; refuses as a new request would be refused. */
  confirmAccess(access: EndUserAccess, credentials: Credentials): Promise<EndUser>
  /** The same for all open connections at once; connections with the same token share one check. */
  confirmShared(access: EndUserAccess, credentials: Credentials): Promise<void>
  tenantScope(admitted: EndUser, origin: Origin): TenantScope
  /** Counts a connection of the user. Refuses with RATE_LIMITED if there are too many. */
  count(admitted: EndUser): void
  /**
   * Reads a frame in the caller's turn. `isCovered`: the processor time that it cost was within the caller's share.
   * @param caller the user, or the address of somebody without a token, and whose turn it is.
   */
  readFrame(caller: FrameCaller, read: () => ReadFrame): Promise<ReadFrame & { isCovered: boolean }>
  removed(socket: OpenSocket, admitted: EndUser | null): void
  /** Maps any error to a refusal and logs our own faults. */
  toRefusal(error: unknown, about: { connectionId: string; userId: string | undefined }): Refusal
}

/** Shares are by user, turns by tenant: a tenant may have any number of users. */
export type FrameCaller = { share: string; turn: string }

export type OpenSocket = {
  wire: SocketWriter
  isAdmitted(): boolean
  /** Checks whether the client's access is still valid; otherwise closes the connection. */
  checkAccess(): Promise<void>
}
