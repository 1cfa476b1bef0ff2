import { integrationsBase } from './integrations.ts'
import { seededRandom } from './seeded-random.ts'
import { type IssueView, type TrackerCase, trackerCases } from './tracker-cases.ts'
import type { LinkedTask, TwoWayLab } from './two-way.ts'

type Field = 'title' | 'status' | 'assignee' | 'due'
type Change = { side: 'ours' | 'theirs'; field: Field; value: string | null }
type Pair = LinkedTask & { it: TrackerCase; changes: Change[]; writesBefore: number }

export type Interleaved = { rounds: number; changes: number; writes: number; conflicts: number; faults: string[] }

const steps = 6
const initial: Record<Field, string | null> = { title: null, status: 'open', assignee: null, due: null }
/** `together`: tasks that go through their steps side by side. */
type Options = { integrations: Map<string, string>; rounds: number; seed: number; together?: number }

/**
 * Tasks whose both sides change at random, while webhooks are held back, doubled, sent in another order or lost, and answers get
 * lost. Says where the two ends differ in the end without a conflict, and where more was written than changed.
 */
export async function interleave(
  lab: TwoWayLab,
  { integrations, rounds, seed, together = 24 }: Options,
): Promise<Interleaved> {
  const { below } = seededRandom(seed)
  const integer = (least: number, most: number) => least + below(most - least + 1)
  const pick = <T>(values: readonly T[]): T => values[integer(0, values.length - 1)] as T
  const result: Interleaved = { rounds: 0, changes: 0, writes: 0, conflicts: 0, faults: [] }
  const users: Record<string, string> = { ada: lab.people.ada.id, ben: lab.people.ben.id }
  while (result.rounds < rounds) {
    const batch = await begin(Math.min(together, rounds - result.rounds))
    lab.emulators.deliveries.hold(true)
    for (let step = 0; step < steps; step++) {
      for (const pair of batch) await act(pair)
      for (const { id } of lab.emulators.deliveries.waiting()) await deliver(id)
      if (integer(0, 2) > 0) await lab.settle()
    }
    await end(batch)
    for (const pair of batch) await check(pair)
    result.rounds += batch.length
  }
  return result

  async function begin(count: number): Promise<Pair[]> {
    await lab.login()
    lab.emulators.faults.clear()
    lab.emulators.deliveries.hold(false)
    const batch: Pair[] = []
    for (let i = 0; i < count; i++) {
      const it = trackerCases[(result.rounds + i) % trackerCases.length] as TrackerCase
      const task = await lab.createIssue(it, integrations.get(it.provider) ?? '', { title: `Task ${i}` })
      batch.push({ ...task, it, changes: [], writesBefore: writesOf(it, task) })
    }
    return batch
  }

  function writesOf(it: TrackerCase, { issue }: LinkedTask): number {
    // What was lost before its effect wrote nothing.
    const entries = lab.emulators.journal.entries({ provider: it.provider })
    return entries.filter((entry) => it.isWrite(entry, issue) && entry.lost !== 'before' && (entry.status ?? 500) < 300)
      .length
  }

  async function act(pair: Pair): Promise<void> {
    const { it } = pair
    const chance = integer(0, 9)
    if (chance < 3) return
    if (chance === 3) return void lose(it)
    const field = pick(
      it.hasDue ? (['title', 'status', 'assignee', 'due'] as const) : (['title', 'status', 'assignee'] as const),
    )
    const value = {
      title: `Title ${integer(1, 1_000_000)}`,
      status: pick(it.statuses),
      assignee: pick(['ada', 'ben', null]),
      due: pick([null, '2026-12-01', '2026-12-24']),
    }[field]
    if (chance < 7) await changeTask(pair, { side: 'ours', field, value })
    else {
      const shown = field === 'assignee' && value !== null ? it.people[value as 'ada' | 'ben'] : value
      if (it.read(lab, pair.issue)[field] === shown) return
      it.edit(lab, pair.issue, { [field]: shown })
      pair.changes.push({ side: 'theirs', field, value })
    }
  }

  async function changeTask(pair: Pair, change: Change): Promise<void> {
    const { field, value } = change
    const body = field === 'assignee' ? { assigneeId: value === null ? null : users[value] } : { [field]: value }
    const task = await lab.task(pair)
    // A status may not follow every other.
    const isFinished = ['done', 'dismissed'].includes(task.status)
    if (field === 'status' && isFinished && value !== 'open' && value !== task.status) return
    const next = await lab.change(pair, body)
    if (next.revision !== task.revision) pair.changes.push(change)
  }

  function lose({ provider }: TrackerCase): void {
    const fault = pick([{ lost: 'after' as const }, { lost: 'before' as const }, { status: 503 }])
    lab.emulators.faults.add({ provider, times: 1, ...(provider === 'linear' ? {} : { path: '/issue' }), ...fault })
  }

  async function deliver(id: number): Promise<void> {
    const chance = integer(0, 9)
    if (chance < 3) return
    await lab.emulators.deliveries.send(id)
    if (chance === 9) await lab.emulators.deliveries.send(integer(Math.max(1, id - 40), id))
  }

  /** What waits is lost. Actions have their tries, and the trackers are asked. */
  async function end(batch: Pair[]): Promise<void> {
    const providers = new Set(batch.map(({ it }) => it.provider))
    for (let i = 0; i < 8; i++) {
      await lab.settle()
      if (i === 1 || i === 4) {
        for (const provider of providers)
          await lab.call('POST', `${integrationsBase}/${integrations.get(provider)}/sync`)
      }
      lab.advance(45)
    }
    lab.emulators.faults.clear()
    for (const provider of providers) await lab.call('POST', `${integrationsBase}/${integrations.get(provider)}/sync`)
    await lab.settle()
    await lab.settle()
  }

  async function check(pair: Pair): Promise<void> {
    const { it, changes, issue } = pair
    const task = await lab.task(pair)
    const theirs: IssueView = it.read(lab, issue)
    const conflicts: string[] = task.conflicts.map(({ field }: { field: string }) => field)
    const who = Object.keys(users).find((name) => users[name] === task.assigneeId) as 'ada' | 'ben' | undefined
    const ours: Record<Field, string | null> = {
      title: task.title,
      status: task.status,
      assignee: who === undefined ? null : it.people[who],
      due: task.due,
    }
    const at = `${it.provider} ${issue}`
    const history = JSON.stringify(changes)
    for (const field of ['title', 'status', 'assignee', ...(it.hasDue ? (['due'] as const) : [])] as Field[]) {
      if (!isSame(it, field, ours[field], theirs[field] ?? null))
        result.faults.push(`${at}: ${field} is ${ours[field]} here and ${theirs[field]} there: ${history}`)
      const ofField = changes.filter((change) => change.field === field)
      const last = ofField.pop()
      if (last === undefined) continue
      // A value that came back counts as unchanged: states are compared, not how they came about.
      if ([initial[field], ...ofField.map(({ value }) => value)].includes(last.value)) continue
      const value = field === 'assignee' && last.value !== null ? it.people[last.value as 'ada' | 'ben'] : last.value
      const isLastThere = isSame(it, field, value, theirs[field] ?? null)
      if (!isLastThere && last.side === 'theirs')
        result.faults.push(`${at}: the change of ${field} there is lost: ${history}`)
      const name = field === 'assignee' ? 'assigneeId' : field
      if (!isLastThere && last.side === 'ours' && !conflicts.includes(name))
        result.faults.push(`${at}: the change of ${field} here is lost without a conflict: ${history}`)
    }
    const writes = writesOf(it, pair) - pair.writesBefore + 1
    if (writes > changes.length + 1)
      result.faults.push(`${at}: ${writes} writes for ${changes.length} changes: ${history}`)
    if (task.link.sync !== 'SYNCED') result.faults.push(`${at}: ${task.link.sync}: ${history}`)
    result.changes += changes.length
    result.writes += writes
    result.conflicts += conflicts.length
  }
}

/** GitHub knows open and closed, Jira no dismissal. */
function isSame({ provider }: TrackerCase, field: Field, ours: string | null, theirs: string | null): boolean {
  if (ours === theirs) return true
  if (field !== 'status') return false
  if (provider === 'github') return ours === 'in_progress' && theirs === 'open'
  return provider === 'atlassian' && ours === 'dismissed' && theirs === 'done'
}
