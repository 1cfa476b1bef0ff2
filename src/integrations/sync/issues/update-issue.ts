import type { Clock } from '../../../kernel/clock.ts'
import { TrackerRefusal } from '../../../providers/trackers/tracker.ts'
import type { TaskText, Writer } from '../../../providers/writers/writer.ts'
import type { ActionContext } from '../../actions/writers.ts'
import { targetKey } from '../../integrations/target.rules.ts'
import { GrantFailure } from '../../tokens/grant-failure.ts'
import { listLinksOfTasks } from './issue.store.ts'
import type { IssueSync } from './issue-sync.service.ts'

const busyMs = 5_000

/** `update_issue`: reads the issue and writes what is new in the task. To do it again changes nothing. */
export function issueUpdate({
  clock,
  sync,
}: {
  clock: Clock
  sync: Pick<IssueSync, 'compare'>
}): Writer<TaskText, ActionContext> {
  return {
    lagSeconds: 0,
    look: null,
    write: async (_text, { scope, action, integration, call }) => {
      const links = await listLinksOfTasks(scope, [action.subjectId])
      const link = links.find((it) => it.integrationId === integration.id && targetKey(it.target) === action.targetKey)
      if (link === undefined) return { kind: 'refused', status: 404 }
      const api = { accountId: integration.accountId, call }
      try {
        const outcome = await sync.compare(scope, { linkId: link.id, api, mayWrite: true })
        if (outcome === 'busy') throw new GrantFailure('HELD_UP', new Date(clock.now().getTime() + busyMs))
        if (outcome === 'gone') return { kind: 'refused', status: 404 }
        return { kind: 'written', written: { externalId: action.externalId ?? '', externalUrl: action.externalUrl } }
      } catch (error) {
        if (!(error instanceof TrackerRefusal)) throw error
        const { status } = error
        return status >= 500 || status === 408 ? { kind: 'unknown' } : { kind: 'refused', status }
      }
    },
  }
}
