import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isId, newId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { invalidField, notFound, Refusal, refuseFields } from '../../kernel/refusal.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import type { Target } from '../../providers/provider.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Integration } from '../integrations/integration.rules.ts'
import { findIntegration } from '../integrations/integration.store.ts'
import type { IntegrationAccess } from '../integrations/integration-access.ts'
import { targetKey, targetProblem } from '../integrations/target.rules.ts'
import { type Action, type ActionName, type AskedAction, actionKinds } from './action.rules.ts'
import type { NewAction } from './action.schema.ts'
import {
  type ActionSearch,
  findAction,
  insertAction,
  listActions,
  lockAction,
  lockByKey,
  saveAction,
} from './action.store.ts'
import type { FindTask } from './content.ts'
import type { IssueFollower } from './issue-follower.ts'
import type { Sender } from './send.service.ts'

export type ActionDeps = {
  clock: Clock
  audit: Audit
  access: IntegrationAccess
  members: OrganizationMembers
  sender: Sender
  issues: Pick<IssueFollower, 'begin'>
  findTask: FindTask
  /** Refuses NOT_FOUND to a user who may not read the meeting. */
  requireMeeting(scope: TenantScope, user: { id: string }, meetingId: string): Promise<unknown>
}

type User = { id: string }
type Wanted = { integrationId: string; action: ActionName; subjectId: string; target: Target; userId: string | null }
export type Actions = ReturnType<typeof actionService>

/** What is written to other services, asked for by a person or by a rule. */
export function actionService({ clock, audit, access, members, sender, issues, findTask, requireMeeting }: ActionDeps) {
  /** Refuses NOT_FOUND, INSUFFICIENT_ROLE, VALIDATION_ERROR, REAUTH_REQUIRED, SCOPE_MISSING and STATE_CONFLICT. */
  async function ask(scope: TenantScope, user: User, { id, body }: { id: string; body: NewAction }): Promise<Action> {
    const integration = await access.use(scope, user, id)
    const { action } = body
    const kind = actionKinds[action]
    const { provider } = integration
    if (!kind.providers.includes(provider))
      throw invalidField('/body/action', { code: 'enum', message: `is not possible at ${provider}` })
    const subjectId = subjectOf(body)
    const settings = integration.features.find(({ name }) => name === kind.feature)?.settings ?? {}
    const target = (body.target ?? settings.target ?? {}) as Target
    const problem = targetProblem({ provider, feature: kind.feature }, target, '/body/target')
    refuseFields(problem === null ? [] : [problem])
    await requireSubject(scope, user, { integration, action, subjectId })
    requireUsable(integration, action)
    return transaction(scope, async (tx) => {
      const wanted = { integrationId: integration.id, action, subjectId, target, userId: user.id }
      const made = await add(tx, wanted)
      await audit(tx, {
        action: 'integration.action',
        target: { type: 'integration_action', id: made.id },
        changes: { integrationId: integration.id, action: made.action, subjectId },
      })
      return made
    })
  }

  async function requireSubject(
    scope: TenantScope,
    user: User,
    { integration, action, subjectId }: { integration: Integration; action: AskedAction; subjectId: string },
  ): Promise<void> {
    if (actionKinds[action].subject === 'meeting') return void (await requireMeeting(scope, user, subjectId))
    const task = await findTask(scope, subjectId)
    if (task === null || task.orgId === null) throw notFound()
    if (integration.orgId !== null && integration.orgId !== task.orgId) throw notFound()
    await members.get(scope, user, { orgId: task.orgId, least: 'member' })
    if (task.isReadOnly) throw new Refusal('STATE_CONFLICT', { detail: 'The task already follows an issue.' })
    if (task.status === 'proposed') throw new Refusal('STATE_CONFLICT', { detail: 'The task is only a proposal.' })
  }

  /**
   * Adds the action in the transaction of its cause, once for each integration, subject and target. A meeting that was
   * exported is written again in place.
   */
  async function add(tx: TenantScope, wanted: Wanted): Promise<Action> {
    const now = clock.now()
    const key = { ...wanted, targetKey: targetKey(wanted.target) }
    const action: Action = {
      ...key,
      tenantId: tx.tenantId,
      id: newId(now),
      status: 'queued',
      attempts: 0,
      sentAt: null,
      leasedUntil: null,
      nextTryAt: null,
      externalId: null,
      externalUrl: null,
      cause: null,
      createdAt: now,
      updatedAt: now,
    }
    if (await insertAction(tx, action)) {
      if (action.action === 'create_issue') await beginIssue(tx, action)
      await sender.enqueue(tx, action.id, null)
      return action
    }
    const known = await lockByKey(tx, key)
    if (known === null) throw notFound()
    if (known.action === 'export_meeting' && known.status === 'done')
      return again(tx, known, { action: 'update_export', userId: wanted.userId })
    return known
  }

  async function beginIssue(tx: TenantScope, action: Action): Promise<void> {
    const integration = await findIntegration(tx, action.integrationId)
    if (integration !== null) await issues.begin(tx, action, integration)
  }

  /** Writes what has changed since an action. The latest alone: one that waits writes what is there when its turn comes. */
  async function again(
    tx: TenantScope,
    done: Pick<
      Action,
      'tenantId' | 'integrationId' | 'subjectId' | 'target' | 'targetKey' | 'externalId' | 'externalUrl'
    >,
    { action, userId }: { action: 'update_export' | 'update_issue'; userId: string | null },
  ): Promise<Action> {
    const now = clock.now()
    const { integrationId, subjectId, target, targetKey: key, externalId, externalUrl } = done
    const update: Action = {
      ...done,
      id: newId(now),
      action,
      userId,
      leasedUntil: null,
      nextTryAt: null,
      cause: null,
      status: 'queued',
      attempts: 0,
      sentAt: null,
      createdAt: now,
      updatedAt: now,
      target,
    }
    const isNew = await insertAction(tx, update)
    const known = isNew ? update : await lockByKey(tx, { integrationId, action, subjectId, targetKey: key })
    if (known === null) throw notFound()
    // The lease of one that is being sent stays: its end sees that it was asked for again.
    const leasedUntil = known.status === 'sending' ? known.leasedUntil : null
    const asked = { ...known, externalId, externalUrl, userId, ...fresh, leasedUntil }
    await saveAction(tx, asked, now)
    await sender.enqueue(tx, known.id, leasedUntil)
    return asked
  }

  /** What is new in a meeting is written into its page, once the page is there. */
  async function updateExport(tx: TenantScope, exported: Action): Promise<void> {
    await again(tx, exported, { action: 'update_export', userId: exported.userId })
  }

  /** What is new in a task is written into its issue. */
  async function updateIssue(
    tx: TenantScope,
    { integrationId, taskId: subjectId, target }: { integrationId: string; taskId: string; target: Target },
  ): Promise<void> {
    const key = { integrationId, subjectId, targetKey: targetKey(target) }
    const created = await lockByKey(tx, { ...key, action: 'create_issue' })
    const { externalId = null, externalUrl = null } = created ?? {}
    const issue = { ...key, tenantId: tx.tenantId, target, externalId, externalUrl }
    await again(tx, issue, { action: 'update_issue', userId: null })
  }

  async function list(
    scope: TenantScope,
    user: User,
    { orgId, ...search }: Omit<ActionSearch, 'owner'> & { orgId?: string | undefined },
    page: PageRequest,
  ): Promise<Page<Action>> {
    if (orgId !== undefined) await access.requireMember(scope, user, orgId)
    return listActions(scope, { ...search, owner: orgId === undefined ? { userId: user.id } : { orgId } }, page)
  }

  /** Refuses NOT_FOUND. */
  async function get(scope: TenantScope, user: User, id: string): Promise<Action> {
    const action = isId(id) ? await findAction(scope, id) : null
    if (action === null) throw notFound()
    await access.see(scope, user, action.integrationId)
    return action
  }

  /** Refuses NOT_FOUND, INSUFFICIENT_ROLE and STATE_CONFLICT. */
  async function change(
    scope: TenantScope,
    user: User,
    { id, verb }: { id: string; verb: 'retry' | 'cancel' },
  ): Promise<Action> {
    const { integrationId } = await get(scope, user, id)
    await access.use(scope, user, integrationId)
    return transaction(scope, async (tx) => {
      const action = await lockAction(tx, id)
      if (action === null) throw notFound()
      const now = clock.now()
      const isWaiting = ['queued', 'uncertain'].includes(action.status) && action.leasedUntil === null
      const isPossible = verb === 'retry' ? action.status === 'failed' : isWaiting
      if (!isPossible) throw new Refusal('STATE_CONFLICT', { detail: `The action is ${action.status}.` })
      const next: Action =
        verb === 'retry' ? { ...action, ...fresh } : { ...action, status: 'cancelled', nextTryAt: null }
      await saveAction(tx, next, now)
      if (verb === 'retry') await sender.enqueue(tx, id, null)
      await audit(tx, { action: `integration.action.${verb}`, target: { type: 'integration_action', id } })
      return next
    })
  }

  return { ask, add, updateExport, updateIssue, list, get, change }
}

/** A new beginning. Whether something was sent before is not forgotten. */
const fresh = { status: 'queued', attempts: 0, leasedUntil: null, nextTryAt: null, cause: null } as const

function subjectOf({ action, meetingId, taskId }: NewAction): string {
  const name = actionKinds[action].subject === 'meeting' ? 'meetingId' : 'taskId'
  const other = name === 'meetingId' ? taskId : meetingId
  const subject = name === 'meetingId' ? meetingId : taskId
  if (subject === undefined) throw invalidField(`/body/${name}`, { code: 'required', message: 'is required' })
  if (other !== undefined)
    throw invalidField(`/body/${name === 'meetingId' ? 'taskId' : 'meetingId'}`, {
      code: 'unknown',
      message: `is not allowed: ${action} is about a ${actionKinds[action].subject}`,
    })
  return subject
}

/** A person is told at once what would only wait. Refuses REAUTH_REQUIRED, SCOPE_MISSING and STATE_CONFLICT. */
function requireUsable({ status, features }: Integration, action: ActionName): void {
  if (status === 'reauth_required') throw new Refusal('REAUTH_REQUIRED')
  if (status !== 'active') throw new Refusal('STATE_CONFLICT', { detail: `The integration is ${status}.` })
  const feature = features.find(({ name }) => name === actionKinds[action].feature)
  if (feature?.status !== 'on') throw new Refusal('SCOPE_MISSING')
}
