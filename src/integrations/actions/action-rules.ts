import type { FeatureName, Target } from '../../providers/provider.ts'
import type { EventBus } from '../../storage/events.ts'
import { inTenant, type Scope, type TenantScope } from '../../storage/scope.ts'
import type { AskedAction } from './action.rules.ts'
import type { Actions } from './action.service.ts'
import { deleteOfSubjects, forgetActor, listRuledExports, listRules, listWaiting } from './action.store.ts'
import type { FindTask } from './content.ts'
import type { Sender } from './send.service.ts'

const atCompletion: Partial<Record<FeatureName, AskedAction>> = {
  post: 'post_summary',
  export: 'export_meeting',
  crm: 'log_meeting',
}

type Deps = { events: EventBus; actions: Pick<Actions, 'add' | 'updateExport'>; sender: Sender; findTask: FindTask }

/** What is written without a person's call: by the rules that admins of an organization have set (`settings.when`). */
export function followRules({ events, actions, sender, findTask }: Deps): void {
  events.on('meeting.completed', async (tx, { tenantId, meetingId, orgId, userId }) => {
    if (orgId === null) return
    const scope = inTenant(tx, tenantId)
    for (const { integrationId, feature, target } of await listRules(scope, { orgId, when: 'completed' })) {
      const action = atCompletion[feature]
      if (action !== undefined)
        await actions.add(scope, { integrationId, action, subjectId: meetingId, target, userId })
    }
  })

  /** A page that a rule has written follows its meeting. */
  const rewriteExports = async (tx: Scope, tenantId: string, meetingIds: readonly string[]) => {
    const scope = inTenant(tx, tenantId)
    for (const exported of await listRuledExports(scope, meetingIds)) await actions.updateExport(scope, exported)
  }

  events.on('transcript.updated', async (tx, { tenantId, meetingId, status }) => {
    if (status === 'completed') await rewriteExports(tx, tenantId, [meetingId])
  })
  events.on('transcript.erased', (tx, { tenantId, meetingIds }) => rewriteExports(tx, tenantId, meetingIds))
  events.on('meeting.renamed', (tx, { tenantId, meetingId }) => rewriteExports(tx, tenantId, [meetingId]))

  const offerTasks = async (
    tx: Scope,
    { tenantId, orgId, taskIds }: { tenantId: string; orgId: string; taskIds: string[] },
  ) => {
    const scope = inTenant(tx, tenantId)
    const rules = await listRules(scope, { orgId, when: 'accepted' })
    if (rules.length > 0) for (const taskId of taskIds) await offerTask(scope, taskId, rules)
  }

  /** Proposals that a person has accepted. Issues of a tracker are not written back as new ones. */
  async function offerTask(
    tx: TenantScope,
    taskId: string,
    rules: { integrationId: string; feature: FeatureName; target: Target }[],
  ): Promise<void> {
    const task = await findTask(tx, taskId)
    if (task === null || task.source !== 'meeting' || !task.isAccepted || task.status === 'dismissed') return
    for (const { integrationId, feature, target } of rules)
      if (feature === 'tasks')
        await actions.add(tx, { integrationId, action: 'create_issue', subjectId: taskId, target, userId: null })
  }

  events.on('org.tasks.changed', offerTasks)
  events.on('org.tasks.completed', offerTasks)

  // What waited for the grant continues by itself.
  events.on('integration.connected', async (tx, { tenantId, integrationId }) => {
    const scope = inTenant(tx, tenantId)
    for (const { id } of await listWaiting(scope, integrationId)) await sender.enqueue(scope, id, null)
  })
  events.on('meetings.deleted', (tx, { tenantId, meetingIds }) => deleteOfSubjects(inTenant(tx, tenantId), meetingIds))
  events.on('org.tasks.deleted', (tx, { tenantId, taskIds }) => deleteOfSubjects(inTenant(tx, tenantId), taskIds))
  events.on('user.removed', (tx, { tenantId, userId }) => forgetActor(inTenant(tx, tenantId), userId))
}
