import { fieldAt, listAt, textAt } from '../answer-fields.ts'
import { jsonRequest, type ProviderRequest } from '../provider.ts'
import {
  bodyOf,
  correspondence,
  type Issue,
  isInvalid,
  readDay,
  readTime,
  readTitle,
  type SharedState,
  type Tracker,
  type TrackerApi,
  TrackerRefusal,
} from './tracker.ts'

const pageSize = 100
const pagesMax = 20
const fieldNames = 'summary,status,resolution,assignee,duedate,updated'
const minuteMs = 60_000

type Asked = { method: ProviderRequest['method']; path: string; body?: unknown }

function addressOf({ accountId }: Pick<TrackerApi, 'accountId'>, path: string): string {
  return `https://api.atlassian.com/ex/jira/${encodeURIComponent(accountId ?? '')}/rest/api/3${path}`
}

const ask = (account: TrackerApi, { method, path, body }: Asked) =>
  account.call((token) => jsonRequest(token, { method, url: addressOf(account, path), body }))

const issuePath = (key: string) => `/issue/${encodeURIComponent(key)}`

/** `statusCategory.key`. */
const statuses: Record<string, string> = { new: 'open', indeterminate: 'in_progress', done: 'done' }
/** Resolutions that mean that the work was not done. */
const dismissals = ["won't do", "won't fix", 'declined', 'duplicate', 'cannot reproduce']

function readIssue({ accountId: _ }: TrackerApi, issue: unknown): Issue | null {
  const [id, key] = [textAt(issue, 'id'), textAt(issue, 'key')]
  if (id === null || key === null) return null
  const of = (...path: string[]) => textAt(issue, 'fields', ...path)
  const assigneeId = of('assignee', 'accountId')
  const status = statuses[of('status', 'statusCategory', 'key') ?? ''] ?? 'open'
  const isDismissed = status === 'done' && dismissals.includes(of('resolution', 'name')?.toLowerCase() ?? '')
  const name = of('assignee', 'displayName') ?? ''
  return {
    id,
    key,
    url: null,
    state: {
      title: readTitle(of('summary')),
      status: isDismissed ? 'dismissed' : status,
      assigneeId,
      due: readDay(issue, 'fields', 'duedate'),
    },
    assignee: assigneeId === null ? null : { id: assigneeId, name, email: of('assignee', 'emailAddress') },
    updatedAt: readTime(issue, 'fields', 'updated'),
  }
}

function toFields({ title, assigneeId, due }: Partial<SharedState>): Record<string, unknown> {
  return {
    ...(title === undefined ? {} : { summary: title }),
    ...(assigneeId === undefined ? {} : { assignee: assigneeId === null ? null : { accountId: assigneeId } }),
    ...(due === undefined ? {} : { duedate: due }),
  }
}

/** Jira refuses all fields for one that it cannot take: then each is tried by itself. */
async function writeFields(account: TrackerApi, key: string, fields: Record<string, unknown>): Promise<void> {
  const put = (body: object) => ask(account, { method: 'PUT', path: issuePath(key), body: { fields: body } })
  const answer = await put(fields)
  if (!isInvalid(answer)) return void bodyOf(answer)
  const names = Object.keys(fields)
  if (names.length === 1) return
  for (const name of names) {
    const single = await put({ [name]: fields[name] })
    if (!isInvalid(single)) bodyOf(single)
  }
}

/** A status is reached by a transition, where the workflow has one. */
async function moveTo(account: TrackerApi, key: string, status: string): Promise<void> {
  const path = `${issuePath(key)}/transitions`
  const found = listAt(bodyOf(await ask(account, { method: 'GET', path })), 'transitions')
  const transition = found.find((it) => statuses[textAt(it, 'to', 'statusCategory', 'key') ?? ''] === status)
  if (transition === undefined) return
  const body = { transition: { id: textAt(transition, 'id') } }
  const answer = await ask(account, { method: 'POST', path, body })
  if (!isInvalid(answer)) bodyOf(answer)
}

const getIssue: Tracker['get'] = async (account, key) => {
  const answer = await ask(account, { method: 'GET', path: `${issuePath(key)}?fields=${fieldNames}` })
  return answer.status === 404 ? null : readIssue(account, bodyOf(answer))
}

const filterOf = (projectId: string) => `project = ${projectId}`

const shared = correspondence({ open: 'open', in_progress: 'in_progress', done: 'done', dismissed: 'done' })
/** A workflow need not tell what was done from what was dismissed. */
const isFinished = (status: string | null) => status === 'done' || status === 'dismissed'

/** https://developer.atlassian.com/cloud/jira/platform/rest/v3/. */
export const jiraTracker: Tracker = {
  name: 'jira',
  ...shared,
  agrees: (field, ours, theirs) =>
    shared.agrees(field, ours, theirs) || (field === 'status' && isFinished(ours) && isFinished(theirs)),
  containerOf: ({ projectId = '' }) => projectId,
  get: getIssue,
  update: async (account, issue, { status, ...changes }) => {
    const fields = toFields(changes)
    if (Object.keys(fields).length > 0) await writeFields(account, issue.id, fields)
    if (status !== undefined) await moveTo(account, issue.id, status ?? 'open')
    return getIssue(account, issue.id)
  },
  listChanged: async function* (account, projectId, { since, now }) {
    // A time would be read in the time zone of the account.
    const minutes = Math.max(1, Math.ceil((now.getTime() - since.getTime()) / minuteMs))
    const search = new URLSearchParams({
      jql: `project = ${projectId} AND updated >= -${minutes}m`,
      fields: fieldNames,
      maxResults: String(pageSize),
    })
    for (let page = 0; page < pagesMax; page++) {
      const body = bodyOf(await ask(account, { method: 'GET', path: `/search/jql?${search}` }))
      yield listAt(body, 'issues').flatMap((issue) => readIssue(account, issue) ?? [])
      const next = textAt(body, 'nextPageToken')
      if (next === null) return
      search.set('nextPageToken', next)
    }
  },
  findPerson: async (account, email) => {
    const path = `/user/search?${new URLSearchParams({ query: email, maxResults: '20' })}`
    const body = bodyOf(await ask(account, { method: 'GET', path }))
    const people = (Array.isArray(body) ? body : []).filter(
      (person) => textAt(person, 'emailAddress')?.toLowerCase() === email.toLowerCase(),
    )
    return people.length === 1 ? textAt(people[0], 'accountId') : null
  },
  findActor: async (account) => textAt(bodyOf(await ask(account, { method: 'GET', path: '/myself' })), 'accountId'),
  hooks: {
    // Jira allows one address for each app.
    isAddressShared: true,
    lifeDays: 30,
    create: async (account, { container, url }) => {
      const events = ['jira:issue_updated', 'jira:issue_deleted', 'jira:issue_created']
      const body = { url, webhooks: [{ jqlFilter: filterOf(container), events }] }
      const made = bodyOf(await ask(account, { method: 'POST', path: '/webhook', body }))
      const id = textAt(made, 'webhookRegistrationResult', 0, 'createdWebhookId')
      if (id === null) throw new TrackerRefusal(400)
      return id
    },
    find: async (account, { container }) => {
      const found = listAt(bodyOf(await ask(account, { method: 'GET', path: '/webhook?maxResults=100' })), 'values')
      return textAt(
        found.find((it) => textAt(it, 'jqlFilter') === filterOf(container)),
        'id',
      )
    },
    renew: async (account, { hookId }) => {
      const body = { webhookIds: [Number(hookId)] }
      const answer = await ask(account, { method: 'PUT', path: '/webhook/refresh', body })
      if (isInvalid(answer) || answer.status === 404) return false
      return fieldAt(bodyOf(answer), 'expirationDate') !== undefined
    },
    removal:
      (account, { hookId }) =>
      (token) =>
        jsonRequest(token, {
          method: 'DELETE',
          url: addressOf(account, '/webhook'),
          body: { webhookIds: [Number(hookId)] },
        }),
  },
}
