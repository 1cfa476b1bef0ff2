import type { BootClock } from './boot-clock.ts'
import type { counters } from './counters.ts'
import type { Log } from './log.ts'
import { reasonOf } from './log.ts'
import { type Judge, type Rejection, snapshotHash } from './peer.ts'
import { goneFrom, type Plan, peerTable, planDelta, planSnapshot, removalsOf } from './plan.ts'
import type { Delta, Snapshot } from './platform.ts'
import type { Held, State } from './state.ts'
import { turns } from './turns.ts'
import type { DumpedPeer, Wireguard } from './wireguard.ts'

export type Keeper = ReturnType<typeof keeper>

type Deps = {
  held: Held
  state: State
  wireguard: Wireguard
  counters: ReturnType<typeof counters>
  clock: BootClock
  judge: Judge
  log: Log
  /** The interface may not have what the table has: it has to be looked after. */
  onUnsound: () => void
}

/** Up to here all counters are read once more before a peer is removed, which takes 30 ms at most. */
const peersReadBeforeRemovalMax = 2000
/** A status lists no more: the platform wants to know that something is wrong, and what for example. */
const rejectionsToldMax = 100

/** Owns the peers: the table, what is stored of it and what the interface is told, in one order of changes. */
export function keeper(deps: Deps) {
  const { state, wireguard, counters, clock, judge, log } = deps
  const table = peerTable(deps.held.peers)
  const rejected = new Map(deps.held.rejected.map(({ publicKey, reason }) => [publicKey, reason]))
  const inTurn = turns()
  let revision = deps.held.revision
  let waiting = new Set<string>()

  const whole = (): Held => ({ revision, peers: [...table.all()], rejected: rejections() })
  const rejections = (): Rejection[] => [...rejected].map(([publicKey, reason]) => ({ publicKey, reason }))
  const observe = async (): Promise<DumpedPeer[]> => {
    const dump = await wireguard.dump()
    counters.observe(dump)
    return dump
  }
  /** What the interface refuses as a whole is put right from the table, as soon as it is there again. */
  const onInterface = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      log.warn('The interface could not be told of a change', { reason: reasonOf(error) })
      deps.onUnsound()
      return otherwise
    }
  }
  const refuse = async (refused: Rejection[]) => {
    if (refused.length === 0) return
    const removes = refused.map(({ publicKey }) => publicKey)
    table.apply({ removes, adds: [], renewed: [] })
    for (const { publicKey, reason } of refused) rejected.set(publicKey, reason)
    await state.record({ removes, adds: [], renewed: [], revision, rejected: rejections() }, whole)
  }

  const carryOut = async (plan: Plan, newRevision: number) => {
    const { removes, adds, renewed } = plan
    if (removes.length > 0) {
      await onInterface(async () => {
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
    // Before it is acknowledged: no restart brings back a peer whose removal was confirmed.
    await state.record({ removes, adds, renewed, revision, rejected: rejections() }, whole)
    if (adds.length > 0) await refuse(await onInterface(() => wireguard.add(adds), []))
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
    if (delta.revision < revision) throw new Error('A delta leads back to an older revision; it was not applied')
    for (const publicKey of delta.removes) rejected.delete(publicKey)
    await carryOut(planDelta(table, delta, { judge, now: clock.seconds() }), delta.revision)
  }
  const applySnapshot = async (snapshot: Snapshot): Promise<'applied' | 'waiting'> => {
    const { peers } = snapshot
    if (snapshot.count !== peers.length || snapshot.sha256 !== snapshotHash(peers)) {
      throw new Error(`A snapshot of ${peers.length} peers is not whole; nothing of it was applied`)
    }
    const gone = goneFrom(table, peers)
    const held = table.size()
    const tried = removalsOf({ gone, held, waiting, isAllowed: false })
    const isAllowed = tried.waiting.length > 0 && (await state.takeAllowedRemovals())
    const removals = isAllowed ? removalsOf({ gone, held, waiting, isAllowed }) : tried
    const isFirst = waiting.size === 0
    waiting = new Set(removals.waiting)
    rejected.clear()
    const plan = planSnapshot(table, { peers, gone: removals.now }, { judge, now: clock.seconds() })
    // As long as removals wait nothing is acknowledged, and a restart asks for the snapshot again.
    await carryOut(plan, waiting.size > 0 ? 0 : snapshot.revision)
    if (waiting.size === 0) return 'applied'
    if (isFirst) {
      log.error('A snapshot would remove more than 30 % of the peers. They stay until a file allows their removal', {
        removals: waiting.size,
        peers: table.size(),
        file: state.folder.path('allow-removals'),
      })
    }
    return 'waiting'
  }

  return {
    revision: () => revision,
    status: () => ({ appliedRevision: revision, rejected: rejections().slice(0, rejectionsToldMax).map(shortened) }),
    holds: (publicKey: string) => table.find(publicKey) !== undefined,
    apply: (answer: Delta | Snapshot) =>
      inTurn(async () => {
        if (answer.kind === 'snapshot') return applySnapshot(answer)
        await applyDelta(answer)
        return 'applied' as const
      }),
    /** The platform knows less than we do: it was set back. What it has now is asked for whole. */
    forgetRevision: () =>
      inTurn(async () => {
        revision = 0
        await state.record({ removes: [], adds: [], renewed: [], revision, rejected: rejections() }, whole)
      }),
    /** Removes whose end has come, with the platform or without it. */
    removeEnded: () =>
      inTurn(async () => {
        const now = clock.seconds()
        const removes = [...table.all()]
          .filter(({ endsAt }) => endsAt !== null && endsAt <= now)
          .map(({ publicKey }) => publicKey)
        if (removes.length > 0) await carryOut({ removes, adds: [], renewed: [], rejected: [] }, revision)
      }),
    observe: () => inTurn(observe),
    /** Makes the interface have what the table has. `prepare` tells whether it had to be made anew. */
    sync: (prepare: () => Promise<{ isNew: boolean; endpoints: Record<string, string> }>) =>
      inTurn(async () => {
        const { isNew, endpoints } = await prepare()
        const peers = [...table.all()]
        if (isNew) {
          counters.removed(peers.map(({ publicKey }) => publicKey))
          return refuse(await wireguard.fill(peers, endpoints))
        }
        const { before, removed, added, rejected: refused } = await wireguard.reconcile(peers)
        counters.observe(before)
        counters.removed(removed)
        if (removed.length + added > 0) {
          log.warn('Peers of the interface were not as they should be', { removed: removed.length, added })
        }
        await refuse(refused)
      }),
  }
}

/** What was sent as a key may be anything, and of any length. */
const shortened = ({ publicKey, reason }: Rejection): Rejection => ({ publicKey: publicKey.slice(0, 64), reason })
