import type { IssueForm } from '../../../inbound/index.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { SharedState } from '../../../providers/trackers/tracker.ts'
import { providerOfTracker, trackerOf } from '../../../providers/trackers/trackers.ts'
import { linearId } from '../../../providers/writers/issues.ts'
import type { TaskText, Written } from '../../../providers/writers/writer.ts'
import type { EventBus } from '../../../storage/events.ts'
import { inTenant, type Scope, type TenantScope } from '../../../storage/scope.ts'
import type { LinkedTasks } from '../../../tasks/index.ts'
import type { Action } from '../../actions/action.rules.ts'
import type { FindTask } from '../../actions/content.ts'
import type { Integration } from '../../integrations/integration.rules.ts'
import { findContainer, insertContainer } from './container.store.ts'
import {
  deleteLinkRow,
  findLink,
  findReported,
  forgetAssigneeOfIssues,
  type IssueLink,
  insertLink,
  listLinksOfIntegration,
  listLinksOfTasks,
  listLinksOfUser,
  saveKey,
  saveWritten,
} from './issue.store.ts'
import { type CommonState, isNewsOf } from './issue-merge.rules.ts'
import type { IssueSync } from './issue-sync.service.ts'

export type IssueLinkDeps = {
  clock: Clock
  tasks: LinkedTasks
  findTask: FindTask
  sync: Pick<IssueSync, 'askToRead'>
  /** Makes the webhook of a repository, team or project that is new. */
  enqueueHooks(tx: TenantScope, integrationId: string): Promise<void>
}

export type IssueLinks = ReturnType<typeof issueLinks>

/** Which issue belongs to which task, from the action that creates the issue to the end of either. */
export function issueLinks({ clock, tasks, findTask, sync, enqueueHooks }: IssueLinkDeps) {
  /** Before anything is written: a delivery about the new issue may come before its answer. */
  async function begin(tx: TenantScope, action: Action, { provider }: Pick<Integration, 'provider'>): Promise<void> {
    const { id, integrationId, subjectId: taskId, target } = action
    const container = trackerOf(provider).containerOf(target)
    const externalId = provider === 'linear' ? linearId(action) : null
    const now = clock.now()
    await insertLink(tx, { id, integrationId, taskId, container, target, externalId }, now)
    if (await insertContainer(tx, { integrationId, container }, now)) await enqueueHooks(tx, integrationId)
  }

  /** What a new issue has is common once it is there. Everything else of the task is a change that follows. */
  async function sending(
    tx: TenantScope,
    { id }: Action,
    { provider, text }: { provider: Integration['provider']; text: TaskText },
  ): Promise<void> {
    const { toTheirs, fields } = trackerOf(provider)
    const ours: SharedState = { title: text.title, status: 'open', assigneeId: null, due: text.due }
    const due = fields.includes('due') ? text.due : null
    const theirs = { title: toTheirs('title', text.title), status: 'open', assigneeId: null, due }
    await saveWritten(tx, id, { ours, theirs })
  }

  async function created(tx: TenantScope, action: Action, written: Written): Promise<void> {
    const link = await findLink(tx, action.id)
    if (link === null || written.issue === undefined) return
    await adopt(tx, link, { ...written.issue, url: written.externalUrl })
  }

  type Known = { id: string | null; key: string; url: string | null }

  async function adopt(tx: TenantScope, link: IssueLink, { id, key, url }: Known): Promise<void> {
    const provider = trackerOf(link.provider).name
    await tasks.saveLink(tx, { id: link.taskId, formerKey: null, link: { provider, key, url, sync: 'SYNCED' } })
    await saveKey(tx, link.id, { externalId: id, key })
    await sync.askToRead(tx, link.id)
  }

  async function failed(tx: TenantScope, { action, subjectId, integrationId }: Action): Promise<void> {
    if (action !== 'update_issue') return
    for (const link of await listLinksOfTasks(tx, [subjectId])) {
      const provider = trackerOf(link.provider).name
      if (link.integrationId === integrationId)
        await tasks.setSync(tx, { id: subjectId, provider, key: link.externalKey ?? '', sync: 'FAILED' })
    }
  }

  /**
   * A delivery about an issue of ours is only a hint: the issue is read. Null: it is no issue of ours. Our own change that comes
   * back is known by who made it and by what it has; nothing is read for it.
   */
  async function takeHint(tx: TenantScope, form: IssueForm): Promise<'asked' | 'own' | null> {
    const { issue, marker, assigneeId, actor } = form
    const provider = providerOfTracker(issue.provider)
    const reported = { provider, marker, externalId: issue.externalId, externalKey: issue.key }
    const link = await findReported(tx, reported)
    if (link === null) return null
    if (link.externalKey === null) {
      // Its answer is on its way, or was lost.
      if (link.common !== null) await adopt(tx, link, { id: issue.externalId, key: issue.key, url: issue.url })
      return 'asked'
    }
    const followed = await findContainer(tx, link)
    const status = issue.status === 'proposed' ? 'open' : issue.status
    const state = { title: issue.title, status, due: issue.due, assigneeId }
    const { fields } = trackerOf(provider)
    const isOwn = actor !== null && actor === followed?.actor && form.kind === 'issue.upserted'
    if (isOwn && !isNewsOf(link.common as CommonState, state, fields)) return 'own'
    await sync.askToRead(tx, link.id)
    return 'asked'
  }

  /** Whether the task has something that its issue has not. */
  async function isChanged(scope: TenantScope, link: IssueLink): Promise<boolean> {
    const task = await findTask(scope, link.taskId)
    if (task === null || link.common === null) return false
    const { ours } = link.common
    return trackerOf(link.provider).fields.some((field) => task[field] !== ours[field])
  }

  /** The task shows that a change of it is on its way. */
  const showPending = (tx: TenantScope, { taskId: id, provider, externalKey }: IssueLink): Promise<void> =>
    tasks.setSync(tx, { id, provider: trackerOf(provider).name, key: externalKey ?? '', sync: 'PENDING' })

  /** Ends the link; the issue stays at its tracker, and the task here. */
  async function end(tx: TenantScope, link: IssueLink): Promise<void> {
    const { taskId: id, provider, externalKey } = link
    if (externalKey !== null) await tasks.deleteLink(tx, { id, provider: trackerOf(provider).name, key: externalKey })
    await deleteLinkRow(tx, link.id)
  }

  return {
    begin,
    sending,
    created,
    failed,
    takeHint,
    isChanged,
    showPending,
    endOfIntegration: async (tx: TenantScope, integrationId: string) => {
      for (const link of await listLinksOfIntegration(tx, integrationId)) await end(tx, link)
    },
    /** Those of a user's own integrations, all or with the tasks of one organization. */
    endOfUser: async (tx: TenantScope, { userId, orgId }: { userId: string; orgId: string | null }) => {
      for (const link of await listLinksOfUser(tx, userId)) {
        const isLeft = orgId === null || (await findTask(tx, link.taskId))?.orgId === orgId
        if (isLeft) await end(tx, link)
      }
    },
  }
}

type FollowDeps = {
  events: EventBus
  links: IssueLinks
  addUpdate(tx: TenantScope, link: IssueLink): Promise<void>
}

/** What happens to issues when their tasks change, and when people and integrations go. */
export function followTasks({ events, links, addUpdate }: FollowDeps): void {
  const write = async (scope: Scope, { tenantId, taskIds }: { tenantId: string; taskIds: string[] }) => {
    const tx = inTenant(scope, tenantId)
    for (const link of await listLinksOfTasks(tx, taskIds)) {
      if (!(await links.isChanged(tx, link))) continue
      await links.showPending(tx, link)
      await addUpdate(tx, link)
    }
  }
  events.on('org.tasks.changed', write)
  events.on('org.tasks.completed', write)
  events.on('integration.disconnecting', (tx, { tenantId, integrationId }) =>
    links.endOfIntegration(inTenant(tx, tenantId), integrationId),
  )
  // Somebody who leaves an organization must no longer read its tasks in a tracker of their own.
  events.on('org.member.left', (tx, { tenantId, orgId, userId }) =>
    links.endOfUser(inTenant(tx, tenantId), { userId, orgId }),
  )
  events.on('user.removed', async (scope, { tenantId, userId }) => {
    const tx = inTenant(scope, tenantId)
    await links.endOfUser(tx, { userId, orgId: null })
    await forgetAssigneeOfIssues(tx, userId)
  })
}
