import type { HandleIssue } from './inbound/index.ts'
import type { Integrations } from './integrations/index.ts'
import type { Tasks } from './tasks/index.ts'

/** Issues that tasks became are read by their integration. All others are tasks that follow them. */
export function issueHandler(
  integrationsModule: () => Pick<Integrations, 'takeIssueHint'>,
  tasksModule: Pick<Tasks, 'handleIssue'>,
): HandleIssue {
  return async (tx, received, form) => {
    const hint = await integrationsModule().takeIssueHint(tx, form)
    if (hint === 'asked') return { kind: 'processed', effects: [] }
    if (hint === 'own') return { kind: 'ignored', reason: 'The change was made by this service.' }
    if (received.integrationId !== null) return { kind: 'ignored', reason: 'No task became this issue.' }
    return tasksModule.handleIssue(tx, received, form)
  }
}
