import { hostname } from 'node:os'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { withTimeout } from '../../kernel/with-timeout.ts'
import type { StorageLog } from '../pool.ts'
import type { PlatformScope } from '../scope.ts'
import type { BlobPlace } from './blobs.ts'
import { nodeMarkers } from './node-markers.ts'
import { listOtherNodes, recordNode, removeNode, type ServiceNode } from './service-node.store.ts'

export type FileSharing = {
  /** Announces this node, and checks at once and every half minute. */
  start(): Promise<void>
  /** Compares this node with the others. Logs a warning when they begin to keep files apart. `start` does it by itself. */
  check(): Promise<void>
  /** Whether another node keeps uploaded files where this one does not see them, as of the last check. */
  isApart(): boolean
  /** Says goodbye to the other nodes. */
  stop(): Promise<void>
}

const everyMs = 30_000
const startTimeoutMs = 2000
const stopTimeoutMs = 2000
/** A killed node is forgotten after this. More than the clocks of two nodes may differ. */
const aliveSeconds = 120
const dayMs = 24 * 3600 * 1000

export type FileSharingDeps = {
  platform: PlatformScope
  clock: Clock
  log: StorageLog & { info(fields: Record<string, unknown>, message: string): void }
  place: BlobPlace
  /** Whether several processes can use the database. */
  isShared: boolean
}

/**
 * Finds out whether the nodes of one database see the same uploaded files. Without that, a file that was uploaded on one node
 * is a 404 on the others, and nobody says why.
 */
export function fileSharing({ platform, clock, log, place, isShared }: FileSharingDeps): FileSharing {
  const node: ServiceNode = {
    id: newId(clock.now()),
    host: hostname(),
    files: place.kind === 'folder' ? 'folder' : `bucket ${place.bucket} at ${place.endpoint}`,
  }
  const markers = place.kind === 'folder' ? nodeMarkers(place.folder) : null
  let apart: ServiceNode[] = []
  let timer: NodeJS.Timeout | null = null
  let checking: Promise<void> | null = null

  const isApartFrom = async (other: ServiceNode): Promise<boolean> =>
    other.files !== node.files || (markers !== null && !(await markers.exists(other.id)))

  const compare = async (): Promise<void> => {
    const nowMs = clock.now().getTime()
    const dayAgo = new Date(nowMs - dayMs)
    // Before the row: a node that reads the row must find the file. Again each time, so that a running node's file stays new.
    await markers?.write(node.id)
    await markers?.removeOlder(dayAgo)
    await recordNode(platform, node, new Date(nowMs), dayAgo)
    const others = await listOtherNodes(platform, node.id, new Date(nowMs - aliveSeconds * 1000))
    const found = await Promise.all(others.map(async (other) => ((await isApartFrom(other)) ? [other] : [])))
    announce(found.flat())
  }

  const announce = (found: ServiceNode[]): void => {
    if (found.length > 0 && apart.length === 0) {
      const others = found.map(({ host, files }) => `${host} (${files})`)
      log.warn(
        { others },
        'Other nodes keep uploaded files where this node does not see them: a file that is uploaded here is a 404 there. Give all nodes one shared folder or a bucket, see docs/media.md',
      )
    }
    if (found.length === 0 && apart.length > 0) log.info({}, 'All nodes see the same uploaded files again')
    apart = found
  }

  /**
   * One at a time: each waits for as long as a network folder hangs. A database or a disk that does not answer changes nothing;
   * `/health` tells it.
   */
  const check = (): Promise<void> => {
    checking ??= compare()
      .catch(() => undefined)
      .finally(() => {
        checking = null
      })
    return checking
  }

  return {
    start: async () => {
      if (!isShared) return
      timer = setInterval(check, everyMs)
      timer.unref()
      // A network folder that hangs must not keep the service from starting.
      await withTimeout(startTimeoutMs, check()).catch(() => undefined)
    },
    check,
    isApart: () => apart.length > 0,
    stop: async () => {
      if (timer === null) return
      clearInterval(timer)
      timer = null
      const leave = async () => {
        await checking // it would put the row back
        // First the row: a node that reads it must find the file.
        await removeNode(platform, node.id)
        await markers?.remove(node.id)
      }
      // A database or a network folder that hangs must not keep the service from stopping. Both are forgotten after a while.
      await withTimeout(stopTimeoutMs, leave()).catch(() => undefined)
    },
  }
}
