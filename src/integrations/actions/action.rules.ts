import type { FeatureName, ProviderName, Target } from '../../providers/provider.ts'

/**
 * What a person may ask for. `update_export` is made of a repeated `export_meeting`, `update_issue` of a change of the task, and
 * `send_answer` of a question in a chat.
 */
export const askedActions = ['post_summary', 'create_issue', 'export_meeting', 'log_meeting'] as const
export type AskedAction = (typeof askedActions)[number]
export const actionNames = [...askedActions, 'update_issue', 'update_export', 'send_answer'] as const
export type ActionName = (typeof actionNames)[number]

export const actionStatuses = ['queued', 'sending', 'uncertain', 'done', 'failed', 'cancelled'] as const
export type ActionStatus = (typeof actionStatuses)[number]

export type Action = {
  tenantId: string
  id: string
  integrationId: string
  action: ActionName
  subjectId: string
  target: Target
  targetKey: string
  userId: string | null
  status: ActionStatus
  attempts: number
  /** When a request may have reached the provider for the first time. */
  sentAt: Date | null
  leasedUntil: Date | null
  nextTryAt: Date | null
  externalId: string | null
  externalUrl: string | null
  cause: string | null
  createdAt: Date
  updatedAt: Date
}

type ActionKind = { feature: FeatureName; subject: 'meeting' | 'task' | 'answer'; providers: readonly ProviderName[] }

export const actionKinds: Record<ActionName, ActionKind> = {
  post_summary: { feature: 'post', subject: 'meeting', providers: ['slack', 'microsoft'] },
  create_issue: { feature: 'tasks', subject: 'task', providers: ['github', 'linear', 'atlassian'] },
  update_issue: { feature: 'tasks', subject: 'task', providers: ['github', 'linear', 'atlassian'] },
  export_meeting: { feature: 'export', subject: 'meeting', providers: ['notion', 'google'] },
  update_export: { feature: 'export', subject: 'meeting', providers: ['notion', 'google'] },
  log_meeting: { feature: 'crm', subject: 'meeting', providers: ['hubspot'] },
  send_answer: { feature: 'answer', subject: 'answer', providers: ['slack', 'microsoft'] },
}

/** The waits before each further try: three within a minute, ten in about six hours. */
const waitSeconds = [5, 15, 30, 120, 300, 900, 1800, 5400, 12_600]

/** Null: there is no further try. */
export function nextTry(attempts: number, now: Date): Date | null {
  const seconds = waitSeconds[attempts - 1]
  return seconds === undefined ? null : new Date(now.getTime() + seconds * 1000)
}

/** Dead grants are waited for this long. */
export const reauthWaitMs = 7 * 24 * 3600_000
