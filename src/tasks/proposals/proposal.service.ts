import type { JobKind, Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Limits } from '../../kernel/quota.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import type { ActionItems, MeetingActionItems } from '../../meetings/index.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import type { EventBus } from '../../storage/events.ts'
import { type Scope, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Quotas } from '../../usage/index.ts'
import { dayIn } from '../tasks/task.rules.ts'
import type { ReadTask } from '../tasks/task.store.ts'
import type { TaskRecords } from '../tasks/task-record.ts'
import type { DueDays } from './due-days.ts'
import { ownerFinder } from './owner.rules.ts'
import { type Proposal, type ProposalKey, toProposals } from './proposal.rules.ts'
import { countTasks, findTimeZone, insertProposed, listOrgMembers, listProposed } from './proposal.store.ts'

export type ProposalDeps = {
  clock: Clock
  quotas: Quotas
  members: OrganizationMembers
  records: TaskRecords
  actionItems: ActionItems
  dueDays: Pick<DueDays, 'read'>
}

type User = { id: string }
/** Tasks, and the day that it is in their organization. */
type Proposed = { tasks: ReadTask[]; today: string }

/** Jobs of one meeting run one after another, so that a later one sees what an earlier one proposed. */
export const proposingJob: JobKind<{ meetingId: string }> = {
  name: 'tasks.proposals.propose',
  attemptsMax: 8,
  backoffSeconds: 10,
  timeoutSeconds: 120,
  order: 'key',
}

/** Enqueues the job when a meeting of an organization ends, and when its transcript changes afterwards. */
export function proposeAfterMeetings({ events, jobs }: { events: EventBus; jobs: Jobs }): void {
  const enqueue = (tx: Scope, { tenantId, meetingId }: { tenantId: string; meetingId: string }) =>
    jobs.enqueue(tx, proposingJob, { data: { meetingId }, tenantId, key: meetingId })
  events.on('meeting.completed', async (tx, meeting) => {
    if (meeting.orgId !== null) await enqueue(tx, meeting)
  })
  events.on('transcript.updated', async (tx, meeting) => {
    if (meeting.orgId !== null && meeting.status === 'completed') await enqueue(tx, meeting)
  })
}

export type Proposals = ReturnType<typeof proposalService>

/** Proposes tasks from the action items of meetings, each once. */
export function proposalService({ clock, quotas, members, records, actionItems, dueDays }: ProposalDeps) {
  /** For the service itself. If there is not room for all, the first ones are proposed. */
  async function proposeAll(scope: Scope, meetingId: string): Promise<void> {
    if (scope.kind !== 'tenant') throw new Error('A meeting belongs to a tenant.')
    const found = await actionItems.find(scope, meetingId)
    if (found?.meeting.orgId) await write(scope, { found, orgId: found.meeting.orgId, user: null })
  }

  /** All or nothing. Refuses NOT_FOUND, INSUFFICIENT_ROLE, STATE_CONFLICT, QUOTA_EXCEEDED and UNAVAILABLE. */
  async function propose(scope: TenantScope, user: User, meetingId: string): Promise<Proposed> {
    await actionItems.requireWriter(scope, user, meetingId)
    const found = await actionItems.find(scope, meetingId)
    if (found === null) throw notFound()
    const { orgId } = found.meeting
    if (orgId === null) throw new Refusal('STATE_CONFLICT', { detail: 'The meeting belongs to no organization.' })
    return write(scope, { found, orgId, user })
  }

  type Work = { found: MeetingActionItems; orgId: string; user: User | null }

  async function write(scope: TenantScope, { found, orgId, user }: Work): Promise<Proposed> {
    const dueOf = await readDueDays(scope, { found, orgId })
    return transaction(scope, async (tx) => {
      const limits = await quotas.lockLimits(tx, user?.id ?? null)
      const organization = await (user === null
        ? members.lockAny(tx, orgId)
        : members.lock(tx, user, { orgId, least: 'member' }))
      const today = dayIn(organization.timeZone, clock.now())
      const held = await actionItems.hold(tx, { user, found })
      // The meeting was erased or moved to another organization meanwhile.
      if (held?.meeting.orgId !== orgId) return { tasks: [], today }
      const { id: meetingId, participants } = held.meeting
      const proposals = await newProposals(tx, meetingId, toProposals(found.items, held.entries))
      const room = user === null ? await countRoom(tx, orgId, limits) : proposals.length
      const taken = proposals.slice(0, room)
      const findOwner = ownerFinder({ members: await listOrgMembers(tx, orgId), participants })
      const tasks: ReadTask[] = []
      const keys: (ProposalKey & { taskId: string })[] = []
      for (const { seq, place, title, ownerName, dueText, evidence } of taken) {
        const task = await records.create(
          tx,
          {
            orgId,
            title,
            status: 'proposed',
            source: 'meeting',
            createdBy: user?.id ?? null,
            assigneeId: ownerName === null ? null : findOwner(ownerName),
            assigneeName: ownerName,
            due: dueOf(dueText),
            dueText,
            meetingId,
            evidence,
          },
          limits,
        )
        tasks.push({ ...task, evidence: { meetingId, ...evidence } })
        keys.push({ seq, place, taskId: task.id })
      }
      await insertProposed(tx, meetingId, keys)
      return { tasks, today }
    })
  }

  async function readDueDays(scope: TenantScope, { found: { meeting, items }, orgId }: Omit<Work, 'user'>) {
    const texts = [...new Set(items.flatMap(({ due }) => due ?? []))]
    const timeZone = texts.length === 0 ? null : await findTimeZone(scope, orgId)
    if (timeZone === null) return () => null
    const days = await dueDays.read({ texts, meetingDay: dayIn(timeZone, meeting.heldAt) })
    const byText = new Map(texts.map((text, i) => [text, days[i] ?? null]))
    return (text: string | null) => byText.get(text ?? '') ?? null
  }

  return { proposeAll, propose }
}

async function newProposals(tx: TenantScope, meetingId: string, proposals: Proposal[]): Promise<Proposal[]> {
  const known = new Set((await listProposed(tx, meetingId)).map(({ seq, place }) => `${seq} ${place}`))
  return proposals.filter(({ seq, place }) => !known.has(`${seq} ${place}`))
}

async function countRoom(tx: TenantScope, orgId: string, { maxTasks }: Pick<Limits, 'maxTasks'>): Promise<number> {
  return maxTasks === null ? Number.POSITIVE_INFINITY : Math.max(0, maxTasks - (await countTasks(tx, orgId)))
}
