import type { BootClock } from './boot-clock.ts'
import type { counters } from './counters.ts'
import type { Log } from './log.ts'
import { errorMessage } from './log.ts'
import { type Rejection, snapshotHash, type ValidatePeer } from './peer.ts'
import { missingPeers, type Plan, peerTable, planDelta, planSnapshot, splitRemovals } from './plan.ts'
import type { Delta, Snapshot } from './platform.ts'
import { serialQueue } from './serial-queue.ts'
import type { PeerState, State } from './state.ts'
import type { DumpedPeer, Wireguard } from './wireguard.ts'

export type PeerManager = ReturnType<typeof peerManager>

type Deps = {
  held: PeerState
  state: State
  wireguard: Wireguard
  counters: ReturnType<typeof counters>
  clock: BootClock
  validate: ValidatePeer
  log: Log
  /** Called when the interface may differ from the table and needs a repair. */
  onInterfaceFault: () => void
}

/** Up to this many peers, all counters are read again before a removal, which takes at most 30 ms. */
const peersReadBeforeRemovalMax = 2000
/** A status lists at most this many: the platform needs to know that something is wrong, with examples. */
const rejectionsReportedMax = 100

/** Owns the peers: applies changes to the table, the stored state and the interface, one change after another. */
export function peerManager(deps: Deps) {
  const { state, wireguard, counters, clock, validate, log } = deps
  const table = peerTable(deps.held.peers)
  const rejected = new Map(deps.held.rejected.map(({ publicKey, reason }) => [publicKey, reason]))
  const inSequence = serialQueue()
  let revision = deps.held.revision
  let withheldRemovals = new Set<string>()

  const currentState = (): PeerState => ({ revision, peers: [...table.all()], rejected: rejections() })
  const rejections = (): Rejection[] => [...rejected].map(([publicKey, reason]) => ({ publicKey, reason }))
  const observe = async (): Promise<DumpedPeer[]> => {
    const dump = await wireguard.dump()
    counters.observe(dump)
    return dump
  }
  /** If the interface fails as a whole, a repair later restores it from the table. */
  const tryOnInterface = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      log.warn('The interface did not accept a change', { reason: errorMessage(error) })
      deps.onInterfaceFault()
      return otherwise
    }
  }
  const rejectPeers = async (refused: Rejection[]) => {
    if (refused.length === 0) return
    const removes = refused.map(({ publicKey }) => publicKey)
    table.apply({ removes, adds: [], renewed: [] })
    for (const { publicKey, reason } of refused) rejected.set(publicKey, reason)
    await state.record({ removes, adds: [], renewed: [], revision, rejected: rejections() }, currentState)
  }

  const applyPlan = async (plan: Plan, newRevision: number) => {
    const { removes, adds, renewed } = plan
    if (removes.length > 0) {
      await tryOnInterface(async () => {
        if (table.size() <= peersReadBeforeRemovalMax) await observe()
        await wireguard.remove(removes)
      }, undefined)
      counters.removed(removes)
    }
    table.apply(plan)
    revision = newRevision
    for (const publicKey of [...removes, ...[...adds, ...renewed].map((peer) => peer.publicKey)]) {
      rejected.delete(publicKey)
    }
    for (const { publicKey, reason } of plan.rejected) rejected.set(publicKey, reason)
    // Before the acknowledgement, so that no restart brings back a peer whose removal was confirmed.
    await state.record({ removes, adds, renewed, revision, rejected: rejections() }, currentState)
    if (adds.length > 0) await rejectPeers(await tryOnInterface(() => wireguard.add(adds), []))
    log.info('Peers changed', {
      revision,
      removed: removes.length,
      added: adds.length,
      renewed: renewed.length,
      rejected: plan.rejected.length,
      peers: table.size(),
    })
  }

  const applyDelta = async (delta: Delta) => {
    if (delta.revision < revision)
      throw new Error('A delta has an older revision than the current one; it was not applied')
    for (const publicKey of delta.removes) rejected.delete(publicKey)
    await applyPlan(planDelta(table, delta, { validate, now: clock.seconds() }), delta.revision)
  }
  const applySnapshot = async (snapshot: Snapshot): Promise<'applied' | 'waiting'> => {
    const { peers } = snapshot
    if (snapshot.count !== peers.length || snapshot.sha256 !== snapshotHash(peers)) {
      throw new Error(`A snapshot of ${peers.length} peers is incomplete; none of it was applied`)
    }
    const gone = missingPeers(table, peers)
    const held = table.size()
    const tried = splitRemovals({ gone, held, waiting: withheldRemovals, isAllowed: false })
    const isAllowed = tried.waiting.length > 0 && (await state.consumeRemovalPermission())
    const removals = isAllowed ? splitRemovals({ gone, held, waiting: withheldRemovals, isAllowed }) : tried
    const isFirst = withheldRemovals.size === 0
    withheldRemovals = new Set(removals.waiting)
    rejected.clear()
    const plan = planSnapshot(table, { peers, gone: removals.now }, { validate, now: clock.seconds() })
    // While removals are withheld nothing is acknowledged, and a restart asks for the snapshot again.
    await applyPlan(plan, withheldRemovals.size > 0 ? 0 : snapshot.revision)
    if (withheldRemovals.size === 0) return 'applied'
    if (isFirst) {
      log.error(
        'A snapshot would remove more than 30 % of the peers. They stay until you create the file that allows it',
        {
          removals: withheldRemovals.size,
          peers: table.size(),
          file: state.folder.path('allow-removals'),
        },
      )
    }
    return 'waiting'
  }

  return {
    revision: () => revision,
    status: () => ({
      appliedRevision: revision,
      rejected: rejections().slice(0, rejectionsReportedMax).map(truncatedKey),
    }),
    holds: (publicKey: string) => table.find(publicKey) !== undefined,
    apply: (answer: Delta | Snapshot) =>
      inSequence(async () => {
        if (answer.kind === 'snapshot') return applySnapshot(answer)
        await applyDelta(answer)
        return 'applied' as const
      }),
    /** For a platform that was restored to an older state: asks for a full snapshot. */
    forgetRevision: () =>
      inSequence(async () => {
        revision = 0
        await state.record({ removes: [], adds: [], renewed: [], revision, rejected: rejections() }, currentState)
      }),
    /** Removes expired peers, whether or not the platform is reachable. */
    removeEnded: () =>
      inSequence(async () => {
        const now = clock.seconds()
        const removes = [...table.all()]
          .filter(({ endsAt }) => endsAt !== null && endsAt <= now)
          .map(({ publicKey }) => publicKey)
        if (removes.length > 0) await applyPlan({ removes, adds: [], renewed: [], rejected: [] }, revision)
      }),
    observe: () => inSequence(observe),
    /** Makes the interface match the table. `prepare` says whether the interface is new. */
    sync: (prepare: () => Promise<{ isNew: boolean; endpoints: Record<string, string> }>) =>
      inSequence(async () => {
        const { isNew, endpoints } = await prepare()
        const peers = [...table.all()]
        if (isNew) {
          counters.removed(peers.map(({ publicKey }) => publicKey))
          return rejectPeers(await wireguard.fill(peers, endpoints))
        }
        const { before, removed, added, rejected: refused } = await wireguard.reconcile(peers)
        counters.observe(before)
        counters.removed(removed)
        if (removed.length + added > 0) {
          log.warn('Peers of the interface differed from the table', { removed: removed.length, added })
        }
        await rejectPeers(refused)
      }),
  }
}

/** A rejected key may be any text of any length. */
const truncatedKey = ({ publicKey, reason }: Rejection): Rejection => ({ publicKey: publicKey.slice(0, 64), reason })
