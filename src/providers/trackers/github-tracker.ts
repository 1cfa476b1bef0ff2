import { fieldAt, textAt } from '../answer-fields.ts'
import { githubHeaders } from '../github.ts'
import { jsonRequest, type ProviderRequest } from '../provider.ts'
import {
  bodyOf,
  correspondence,
  type Issue,
  isInvalid,
  type KnownHook,
  readTime,
  readTitle,
  type SharedState,
  type Tracker,
  type TrackerApi,
} from './tracker.ts'

const api = 'https://api.github.com'
const pageSize = 100
const pagesMax = 20

const ask = ({ call }: TrackerApi, request: { method: ProviderRequest['method']; url: string; body?: unknown }) =>
  call((token) => jsonRequest(token, { ...request, headers: githubHeaders }))

/** `owner/name#number` */
function addressOf(key: string): string {
  const [repository = '', number = ''] = key.split('#')
  return `${api}/repos/${repository}/issues/${number}`
}

const hookUrl = ({ container, hookId }: KnownHook) => `${api}/repos/${container}/hooks/${encodeURIComponent(hookId)}`

function readIssue(repository: string, issue: unknown): Issue | null {
  const [id, number] = [textAt(issue, 'id'), textAt(issue, 'number')]
  if (id === null || number === null) return null
  const login = textAt(issue, 'assignees', 0, 'login') ?? textAt(issue, 'assignee', 'login')
  return {
    id,
    key: `${repository}#${number}`,
    url: textAt(issue, 'html_url'),
    state: {
      title: readTitle(textAt(issue, 'title')),
      status: readStatus(issue),
      assigneeId: login,
      due: null,
    },
    assignee: login === null ? null : { id: login, name: login, email: null },
    updatedAt: readTime(issue, 'updated_at'),
  }
}

function readStatus(issue: unknown): string {
  if (textAt(issue, 'state') !== 'closed') return 'open'
  return ['not_planned', 'duplicate'].includes(textAt(issue, 'state_reason') ?? '') ? 'dismissed' : 'done'
}

const states: Record<string, object> = {
  open: { state: 'open' },
  done: { state: 'closed', state_reason: 'completed' },
  dismissed: { state: 'closed', state_reason: 'not_planned' },
}

function toBody({ title, status, assigneeId }: Partial<SharedState>): object {
  return {
    ...(title === undefined ? {} : { title }),
    ...(status === undefined ? {} : states[status ?? 'open']),
    ...(assigneeId === undefined ? {} : { assignees: assigneeId === null ? [] : [assigneeId] }),
  }
}

/** https://docs.github.com/rest/issues/issues. Its issues have no day on which they are due, and are open or closed. */
export const githubTracker: Tracker = {
  name: 'github',
  ...correspondence({ open: 'open', in_progress: 'open', done: 'done', dismissed: 'dismissed' }),
  fields: ['title', 'status', 'assigneeId'],
  containerOf: ({ repository = '' }) => repository,
  get: async (account, key) => {
    const answer = await ask(account, { method: 'GET', url: addressOf(key) })
    // 301: it has moved to another repository. 410: it was deleted.
    if ([301, 404, 410].includes(answer.status)) return null
    return readIssue(key.split('#')[0] ?? '', bodyOf(answer))
  },
  update: async (account, issue, changes) => {
    const answer = await ask(account, { method: 'PATCH', url: addressOf(issue.key), body: toBody(changes) })
    if (isInvalid(answer)) return issue
    return readIssue(issue.key.split('#')[0] ?? '', bodyOf(answer))
  },
  listChanged: async function* (account, repository, { since }) {
    for (let page = 1; page <= pagesMax; page++) {
      const url = new URL(`${api}/repos/${repository}/issues`)
      const query = { state: 'all', sort: 'updated', direction: 'asc', since: since.toISOString() }
      for (const [name, value] of Object.entries({ ...query, per_page: String(pageSize), page: String(page) }))
        url.searchParams.set(name, value)
      const body = bodyOf(await ask(account, { method: 'GET', url: url.href }))
      const issues = Array.isArray(body) ? body : []
      yield issues.flatMap((issue) => readIssue(repository, issue) ?? [])
      if (issues.length < pageSize) return
    }
  },
  // Addresses are private there.
  findPerson: async () => null,
  findActor: async (account) => textAt(bodyOf(await ask(account, { method: 'GET', url: `${api}/user` })), 'login'),
  hooks: {
    isAddressShared: false,
    lifeDays: null,
    create: async (account, { container, url, secret }) => {
      const config = { url, secret, content_type: 'json', insecure_ssl: '0' }
      const body = { name: 'web', active: true, events: ['issues'], config }
      const made = bodyOf(await ask(account, { method: 'POST', url: `${api}/repos/${container}/hooks`, body }))
      return textAt(made, 'id') ?? ''
    },
    find: async (account, { container, url }) => {
      const found = bodyOf(await ask(account, { method: 'GET', url: `${api}/repos/${container}/hooks?per_page=100` }))
      const hook = (Array.isArray(found) ? found : []).find((it) => textAt(it, 'config', 'url') === url)
      return textAt(hook, 'id')
    },
    renew: async (account, hook) => {
      const answer = await ask(account, { method: 'GET', url: hookUrl(hook) })
      if (answer.status === 404) return false
      return fieldAt(bodyOf(answer), 'active') !== false
    },
    removal: (_account, hook) => (token) =>
      jsonRequest(token, { method: 'DELETE', url: hookUrl(hook), headers: githubHeaders }),
  },
}
