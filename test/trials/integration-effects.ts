import type { ProviderName } from '../emulators/emulator.ts'
import type { Emulators } from '../emulators/emulators.ts'

/** What an action leaves at a provider. */
export type Effect = {
  provider: ProviderName
  features: string[]
  action: string
  subject: 'meeting' | 'task'
  target(emulators: Emulators): Record<string, string>
  /** The request that writes. */
  writes: { method: string; path: string }
  /** All that is there, each as JSON with its title. */
  list: [control: string, input?: Record<string, unknown>]
}

const teams = { teamId: '02bd9fd6-8f93-4758-87c3-1fb73740a315', channelId: '19:general@thread.tacv2' }

export const effects: Effect[] = [
  {
    provider: 'slack',
    features: ['post'],
    action: 'post_summary',
    subject: 'meeting',
    target: () => ({ channelId: 'C0GENERAL' }),
    writes: { method: 'POST', path: 'chat.postMessage' },
    list: ['messages', { channel: 'C0GENERAL' }],
  },
  {
    provider: 'microsoft',
    features: ['post', 'calendar'],
    action: 'post_summary',
    subject: 'meeting',
    target: () => teams,
    writes: { method: 'POST', path: '/messages' },
    list: ['messages'],
  },
  {
    provider: 'google',
    features: ['export', 'calendar'],
    action: 'export_meeting',
    subject: 'meeting',
    target: () => ({}),
    writes: { method: 'POST', path: '/upload/drive/v3/files' },
    list: ['files'],
  },
  {
    provider: 'notion',
    features: ['export'],
    action: 'export_meeting',
    subject: 'meeting',
    target: (emulators) => ({ pageId: String(rowsOf(emulators.control('notion', 'pages'))[0]?.['id']) }),
    writes: { method: 'POST', path: '/v1/pages' },
    list: ['pages'],
  },
  {
    provider: 'hubspot',
    features: ['crm'],
    action: 'log_meeting',
    subject: 'meeting',
    target: () => ({}),
    writes: { method: 'POST', path: '/crm/v3/objects/meetings' },
    list: ['meetings'],
  },
  {
    provider: 'github',
    features: ['tasks'],
    action: 'create_issue',
    subject: 'task',
    target: () => ({ repository: 'example/website' }),
    writes: { method: 'POST', path: '/repos/example/website/issues' },
    list: ['issues', { repository: 'example/website' }],
  },
  {
    provider: 'linear',
    features: ['tasks'],
    action: 'create_issue',
    subject: 'task',
    target: () => ({ teamId: '4f2c9d53-7e0c-4b5b-9a7e-3c1b6f0e8d11' }),
    writes: { method: 'POST', path: '/graphql' },
    list: ['issues'],
  },
  {
    provider: 'atlassian',
    features: ['tasks'],
    action: 'create_issue',
    subject: 'task',
    target: () => ({ projectId: '10000' }),
    writes: { method: 'POST', path: '/rest/api/3/issue' },
    list: ['issues'],
  },
]

export function rowsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value : (Object.values((value ?? {}) as object).find(Array.isArray) ?? [])
}

/** What is at the provider with this title. */
export function withTitle(emulators: Emulators, { provider, list: [control, input] }: Effect, title: string) {
  return rowsOf(emulators.control(provider, control, input ?? {})).filter((it) => JSON.stringify(it).includes(title))
}
