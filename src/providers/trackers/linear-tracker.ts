import { fieldAt, listAt, textAt } from '../answer-fields.ts'
import { graphqlRequest } from '../linear.ts'
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
} from './tracker.ts'

const pageSize = 100
const pagesMax = 20

const fields = 'id identifier url title dueDate updatedAt state { type } assignee { id name email }'

const ask = ({ call }: TrackerApi, query: string, variables: Record<string, unknown>) =>
  call((token) => graphqlRequest(token, query, variables))

/** `state.type` (https://linear.app/developers/graphql). */
const statuses: Record<string, string> = {
  triage: 'open',
  backlog: 'open',
  unstarted: 'open',
  started: 'in_progress',
  completed: 'done',
  canceled: 'dismissed',
  duplicate: 'dismissed',
}

/** Where an issue with this status belongs: the first type that the team has. */
const stateTypes: Record<string, string[]> = {
  open: ['unstarted', 'backlog'],
  in_progress: ['started'],
  done: ['completed'],
  dismissed: ['canceled'],
}

function readIssue(issue: unknown): Issue | null {
  const [id, key] = [textAt(issue, 'id'), textAt(issue, 'identifier')]
  if (id === null || key === null) return null
  const assigneeId = textAt(issue, 'assignee', 'id')
  const name = textAt(issue, 'assignee', 'name') ?? ''
  return {
    id,
    key,
    url: textAt(issue, 'url'),
    state: {
      title: readTitle(textAt(issue, 'title')),
      status: statuses[textAt(issue, 'state', 'type') ?? ''] ?? 'open',
      assigneeId,
      due: readDay(issue, 'dueDate'),
    },
    assignee: assigneeId === null ? null : { id: assigneeId, name, email: textAt(issue, 'assignee', 'email') },
    updatedAt: readTime(issue, 'updatedAt'),
  }
}

/** The state of the issue's team for a status. Null: the team has none. */
async function findStateId(account: TrackerApi, issueId: string, status: string): Promise<string | null> {
  const query = 'query ($id: String!) { issue(id: $id) { team { states { nodes { id type } } } } }'
  const states = listAt(bodyOf(await ask(account, query, { id: issueId })), 'data', 'issue', 'team', 'states', 'nodes')
  for (const type of stateTypes[status] ?? []) {
    const state = states.find((it) => textAt(it, 'type') === type)
    if (state !== undefined) return textAt(state, 'id')
  }
  return null
}

async function toInput(account: TrackerApi, { id }: Issue, { title, status, assigneeId, due }: Partial<SharedState>) {
  const stateId = status === undefined ? null : await findStateId(account, id, status ?? 'open')
  return {
    ...(title === undefined ? {} : { title }),
    ...(stateId === null ? {} : { stateId }),
    ...(assigneeId === undefined ? {} : { assigneeId }),
    ...(due === undefined ? {} : { dueDate: due }),
  }
}

const getIssue: Tracker['get'] = async (account, key) => {
  const answer = await ask(account, `query ($id: String!) { issue(id: $id) { ${fields} } }`, { id: key })
  const isMissing = JSON.stringify(listAt(answer.body, 'errors')).includes('not found')
  if (answer.status < 500 && isMissing) return null
  return readIssue(fieldAt(bodyOf(answer), 'data', 'issue'))
}

async function listHooks(account: TrackerApi): Promise<unknown[]> {
  const body = bodyOf(await ask(account, 'query { webhooks(first: 250) { nodes { id url enabled } } }', {}))
  return listAt(body, 'data', 'webhooks', 'nodes')
}

/** https://linear.app/developers/graphql. Our changes are the app's own (`actor=app`). */
export const linearTracker: Tracker = {
  name: 'linear',
  ...correspondence({ open: 'open', in_progress: 'in_progress', done: 'done', dismissed: 'dismissed' }),
  containerOf: ({ teamId = '' }) => teamId,
  get: getIssue,
  update: async (account, issue, changes) => {
    const input = await toInput(account, issue, changes)
    if (Object.keys(input).length === 0) return issue
    const query = `mutation ($id: String!, $input: IssueUpdateInput!) {
      issueUpdate(id: $id, input: $input) { success issue { ${fields} } } }`
    const answer = await ask(account, query, { id: issue.id, input })
    if (isInvalid(answer)) return getIssue(account, issue.id)
    return readIssue(fieldAt(bodyOf(answer), 'data', 'issueUpdate', 'issue'))
  },
  listChanged: async function* (account, teamId, { since }) {
    const query = `query ($filter: IssueFilter, $after: String) {
      issues(filter: $filter, first: ${pageSize}, after: $after, orderBy: updatedAt) {
        nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`
    const filter = { team: { id: { eq: teamId } }, updatedAt: { gte: since.toISOString() } }
    let after: string | null = null
    for (let page = 0; page < pagesMax; page++) {
      const body: unknown = bodyOf(await ask(account, query, { filter, after }))
      yield listAt(body, 'data', 'issues', 'nodes').flatMap((issue) => readIssue(issue) ?? [])
      after = textAt(body, 'data', 'issues', 'pageInfo', 'endCursor')
      if (fieldAt(body, 'data', 'issues', 'pageInfo', 'hasNextPage') !== true || after === null) return
    }
  },
  findPerson: async (account, email) => {
    const query = 'query ($filter: UserFilter) { users(filter: $filter, first: 2) { nodes { id email } } }'
    const users = listAt(
      bodyOf(await ask(account, query, { filter: { email: { eqIgnoreCase: email } } })),
      'data',
      'users',
      'nodes',
    )
    return users.length === 1 ? textAt(users[0], 'id') : null
  },
  findActor: async (account) =>
    textAt(bodyOf(await ask(account, 'query { viewer { id } }', {})), 'data', 'viewer', 'id'),
  hooks: {
    isAddressShared: false,
    lifeDays: null,
    create: async (account, { container, url, secret }) => {
      const query = `mutation ($input: WebhookCreateInput!) { webhookCreate(input: $input) { success webhook { id } } }`
      const input = { url, secret, teamId: container, resourceTypes: ['Issue'] }
      const made = bodyOf(await ask(account, query, { input }))
      return textAt(made, 'data', 'webhookCreate', 'webhook', 'id') ?? ''
    },
    find: async (account, { url }) => {
      const hook = (await listHooks(account)).find((it) => textAt(it, 'url') === url)
      return textAt(hook, 'id')
    },
    renew: async (account, { hookId }) => {
      const hook = (await listHooks(account)).find((it) => textAt(it, 'id') === hookId)
      return hook !== undefined && fieldAt(hook, 'enabled') !== false
    },
    removal:
      (_account, { hookId }) =>
      (token) =>
        graphqlRequest(token, 'mutation ($id: String!) { webhookDelete(id: $id) { success } }', { id: hookId }),
  },
}
