import type { ProviderName } from '../emulators/emulator.ts'
import type { Emulators } from '../emulators/emulators.ts'
import type { JournalEntry } from '../emulators/journal.ts'

type Found = Record<string, unknown>

/** What an action leaves at a provider. */
export type Effect = {
  name: string
  provider: ProviderName
  action: string
  /** The request that writes. `isIt`: which of those, where that does not say it. */
  writes: { method: string; path: string; isIt?(entry: JournalEntry): boolean }
  /** What tells the request about one subject. */
  markedIn: 'body' | 'path'
  /** All that is there, and which of it is about a subject: where nothing else is said, what has its mark anywhere. */
  list: [control: string, input?: Record<string, unknown>]
  isAbout?(found: Found, mark: string): boolean
  /** Nobody can tell after a lost answer: the scope to read the channels of Teams is never granted. */
  isUndecidable?: true
}

type AskedEffect = Effect & { subject: 'meeting' | 'task'; target(emulators: Emulators): Record<string, string> }

const repository = 'example/website'
const files: Effect['list'] = ['files']
const pages: Effect['list'] = ['pages']
const githubIssues: Effect['list'] = ['issues', { repository }]
const issues: Effect['list'] = ['issues']
const channel: Effect['list'] = ['messages', { channel: 'C0GENERAL' }]
const isAnswer = ({ body }: JournalEntry) => body?.includes('"thread_ts"') === true
const holds =
  (word: string) =>
  ({ body }: JournalEntry) =>
    body?.includes(word) === true

export const integrationFeatures: [ProviderName, string[]][] = [
  ['slack', ['post', 'answer']],
  ['microsoft', ['post', 'answer', 'calendar']],
  ['google', ['export', 'calendar']],
  ['notion', ['export']],
  ['hubspot', ['crm']],
  ['github', ['tasks']],
  ['linear', ['tasks']],
  ['atlassian', ['tasks']],
]

export const teamId = '02bd9fd6-8f93-4758-87c3-1fb73740a315'

/** What people ask for. */
export const askedEffects: AskedEffect[] = [
  {
    name: 'post_summary, slack',
    provider: 'slack',
    action: 'post_summary',
    subject: 'meeting',
    target: () => ({ channelId: 'C0GENERAL' }),
    writes: { method: 'POST', path: 'chat.postMessage', isIt: (entry) => !isAnswer(entry) },
    markedIn: 'body',
    list: channel,
  },
  {
    name: 'post_summary, microsoft',
    provider: 'microsoft',
    action: 'post_summary',
    subject: 'meeting',
    target: () => ({ teamId, channelId: '19:general@thread.tacv2' }),
    writes: { method: 'POST', path: '/channels/', isIt: ({ path }) => path.endsWith('/messages') },
    markedIn: 'body',
    list: ['messages'],
    isUndecidable: true,
  },
  {
    name: 'export_meeting, google',
    provider: 'google',
    action: 'export_meeting',
    subject: 'meeting',
    target: () => ({}),
    writes: { method: 'POST', path: '/upload/drive/v3/files' },
    markedIn: 'body',
    list: files,
  },
  {
    name: 'export_meeting, notion',
    provider: 'notion',
    action: 'export_meeting',
    subject: 'meeting',
    target: notionTarget,
    writes: { method: 'POST', path: '/v1/pages' },
    markedIn: 'body',
    list: pages,
  },
  {
    name: 'log_meeting, hubspot',
    provider: 'hubspot',
    action: 'log_meeting',
    subject: 'meeting',
    target: () => ({}),
    writes: { method: 'POST', path: '/crm/v3/objects/meetings' },
    markedIn: 'body',
    list: ['meetings'],
  },
  {
    name: 'create_issue, github',
    provider: 'github',
    action: 'create_issue',
    subject: 'task',
    target: () => ({ repository }),
    writes: { method: 'POST', path: `/repos/${repository}/issues` },
    markedIn: 'body',
    list: githubIssues,
  },
  {
    name: 'create_issue, linear',
    provider: 'linear',
    action: 'create_issue',
    subject: 'task',
    target: () => ({ teamId: '4f2c9d53-7e0c-4b5b-9a7e-3c1b6f0e8d11' }),
    writes: { method: 'POST', path: '/graphql', isIt: holds('issueCreate') },
    markedIn: 'body',
    list: issues,
  },
  {
    name: 'create_issue, atlassian',
    provider: 'atlassian',
    action: 'create_issue',
    subject: 'task',
    target: () => ({ projectId: '10000' }),
    writes: { method: 'POST', path: '/rest/api/3/issue' },
    markedIn: 'body',
    list: issues,
  },
]

/** What the service writes by itself when a meeting or a task is renamed. */
export const updateEffects: Effect[] = [
  {
    name: 'update_export, google',
    provider: 'google',
    action: 'update_export',
    writes: { method: 'PATCH', path: '/upload/drive/v3/files/' },
    markedIn: 'body',
    list: files,
  },
  {
    name: 'update_export, notion',
    provider: 'notion',
    action: 'update_export',
    writes: { method: 'PATCH', path: '/v1/pages/' },
    markedIn: 'body',
    list: pages,
  },
  {
    name: 'update_issue, github',
    provider: 'github',
    action: 'update_issue',
    writes: { method: 'PATCH', path: `/repos/${repository}/issues/` },
    markedIn: 'body',
    list: githubIssues,
  },
  {
    name: 'update_issue, linear',
    provider: 'linear',
    action: 'update_issue',
    writes: { method: 'POST', path: '/graphql', isIt: holds('issueUpdate') },
    markedIn: 'body',
    list: issues,
  },
  {
    name: 'update_issue, atlassian',
    provider: 'atlassian',
    action: 'update_issue',
    writes: { method: 'PUT', path: '/rest/api/3/issue/' },
    markedIn: 'body',
    list: issues,
  },
]

/** What the service writes when somebody has asked in a chat. */
export const answerEffects: Record<'slack' | 'teamsChat' | 'teamsChannel', Effect> = {
  slack: {
    name: 'send_answer, slack',
    provider: 'slack',
    action: 'send_answer',
    writes: { method: 'POST', path: 'chat.postMessage', isIt: isAnswer },
    markedIn: 'body',
    list: channel,
    isAbout: (message, mark) => message['thread_ts'] === mark,
  },
  teamsChat: {
    name: 'send_answer, chat of teams',
    provider: 'microsoft',
    action: 'send_answer',
    writes: { method: 'POST', path: '/chats/' },
    markedIn: 'path',
    list: ['messages'],
  },
  teamsChannel: {
    name: 'send_answer, channel of teams',
    provider: 'microsoft',
    action: 'send_answer',
    writes: { method: 'POST', path: '/replies' },
    markedIn: 'path',
    list: ['messages'],
    isAbout: (message, mark) => message['replyToId'] === mark,
    isUndecidable: true,
  },
}

export const effects: Effect[] = [...askedEffects, ...updateEffects, ...Object.values(answerEffects)]

export function notionTarget(emulators: Emulators): Record<string, string> {
  return { pageId: String(rowsOf(emulators.control('notion', 'pages'))[0]?.['id']) }
}

export function rowsOf(value: unknown): Found[] {
  return Array.isArray(value) ? value : (Object.values((value ?? {}) as object).find(Array.isArray) ?? [])
}

/** What is at the provider about the subject with this mark. */
export function foundWith(emulators: Emulators, { provider, list, isAbout = hasMark }: Effect, mark: string): Found[] {
  const [control, input = {}] = list
  return rowsOf(emulators.control(provider, control, input)).filter((it) => isAbout(it, mark))
}

const hasMark = (found: Found, mark: string) => JSON.stringify(found).includes(mark)

/** How many answers to requests of this effect were lost after they had it. */
export function countLostAnswers(emulators: Emulators, { provider, writes }: Effect): number {
  const { method, path, isIt = () => true } = writes
  return emulators.journal
    .entries({ provider, method, path })
    .filter((entry) => entry.lost === 'after' && entry.status !== null && entry.status < 300 && isIt(entry)).length
}
