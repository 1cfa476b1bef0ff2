import { sha256Digest } from '../../kernel/checksum.ts'
import { fieldAt, listAt, textAt } from '../answer-fields.ts'
import { githubHeaders } from '../github.ts'
import { graphqlRequest } from '../linear.ts'
import { jsonRequest } from '../provider.ts'
import {
  lateSeconds,
  type TaskText,
  type WriteContext,
  type Writer,
  type Written,
  writeOutcome,
  writtenTitle,
} from './writer.ts'

const pageSize = 100
const pagesMax = 10

type Action = WriteContext['action']
type Account = WriteContext['account']

function githubIssues({ target }: Action): string {
  return `https://api.github.com/repos/${target['repository']}/issues`
}

function githubWritten({ target }: Action, issue: unknown): Written | null {
  const externalId = textAt(issue, 'number')
  if (externalId === null) return null
  const known = { id: textAt(issue, 'id'), key: `${target['repository']}#${externalId}` }
  return { externalId, externalUrl: textAt(issue, 'html_url'), issue: known }
}

/** A hidden comment has the action's id. The list of issues has no lag, other than the search. */
export const githubIssue: Writer<TaskText> = {
  lagSeconds: lateSeconds,
  write: async ({ title, description }, { action, call }) => {
    const body = { title: writtenTitle(title), body: `${description}\n\n<!-- atrium:${action.id} -->` }
    const request = { method: 'POST' as const, url: githubIssues(action), body, headers: githubHeaders }
    return writeOutcome(await call((token) => jsonRequest(token, request)), (issue) => githubWritten(action, issue))
  },
  look: async ({ action, sentAt, call }) => {
    const since = new Date(sentAt.getTime() - 60_000).toISOString()
    for (let page = 1; page <= pagesMax; page++) {
      const url = new URL(githubIssues(action))
      const query = {
        state: 'all',
        sort: 'created',
        direction: 'desc',
        per_page: String(pageSize),
        page: String(page),
        since,
      }
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      const request = { method: 'GET' as const, url: url.href, headers: githubHeaders }
      const { status, body } = await call((token) => jsonRequest(token, request))
      if (status >= 300 || !Array.isArray(body)) return { kind: 'unknown' }
      const written = githubWritten(
        action,
        body.find((issue) => textAt(issue, 'body')?.includes(`atrium:${action.id}`)),
      )
      if (written !== null) return { kind: 'found', written }
      if (body.length < pageSize) return { kind: 'absent' }
    }
    return { kind: 'unknown' }
  },
}

/** Linear takes ids of ours, of the form of a random UUID. */
export function linearId({ id }: Pick<Action, 'id'>): string {
  const hex = sha256Digest(id).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const linearFields = 'id identifier url'

function linearWritten(issue: unknown): Written | null {
  const [externalId, key] = [textAt(issue, 'id'), textAt(issue, 'identifier')]
  if (externalId === null) return null
  return { externalId, externalUrl: textAt(issue, 'url'), issue: { id: externalId, key: key ?? externalId } }
}

export const linearIssue: Writer<TaskText> = {
  lagSeconds: 0,
  write: async ({ title, description, due }, { action, call }) => {
    const query = `mutation ($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { ${linearFields} } } }`
    const input = {
      id: linearId(action),
      teamId: action.target['teamId'],
      title: writtenTitle(title),
      description,
      ...(due === null ? {} : { dueDate: due }),
    }
    const answer = await call((token) => graphqlRequest(token, query, { input }))
    return writeOutcome(answer, (body) => linearWritten(fieldAt(body, 'data', 'issueCreate', 'issue')))
  },
  look: async ({ action, call }) => {
    const query = `query ($id: String!) { issue(id: $id) { ${linearFields} } }`
    const { status, body } = await call((token) => graphqlRequest(token, query, { id: linearId(action) }))
    const written = linearWritten(fieldAt(body, 'data', 'issue'))
    if (written !== null) return { kind: 'found', written }
    const isMissing = JSON.stringify(listAt(body, 'errors')).includes('not found')
    return status < 500 && isMissing ? { kind: 'absent' } : { kind: 'unknown' }
  },
}

function jiraApi({ id }: Account): string {
  return `https://api.atlassian.com/ex/jira/${encodeURIComponent(id ?? '')}/rest/api/3`
}

const jiraLabel = ({ id }: Action) => `atrium-${id}`

function jiraWritten({ name }: Account, issue: unknown): Written | null {
  const key = textAt(issue, 'key')
  // The name of a site is its host's first part.
  const host = /^[a-z0-9-]{1,100}$/i.test(name ?? '') ? `https://${name}.atlassian.net` : null
  if (key === null) return null
  return { externalId: key, externalUrl: host && `${host}/browse/${key}`, issue: { id: textAt(issue, 'id'), key } }
}

/** A label has the action's id. Jira's search finds it after some seconds. */
export const jiraIssue: Writer<TaskText> = {
  lagSeconds: 30,
  write: async ({ title, description, due }, { action, account, call }) => {
    const { projectId, issueTypeId } = action.target
    const fields = {
      project: { id: projectId },
      issuetype: issueTypeId === undefined ? { name: 'Task' } : { id: issueTypeId },
      summary: writtenTitle(title),
      labels: [jiraLabel(action)],
      ...(description === '' ? {} : { description: jiraDocument(description) }),
      ...(due === null ? {} : { duedate: due }),
    }
    const request = { method: 'POST' as const, url: `${jiraApi(account)}/issue`, body: { fields } }
    const answer = await call((token) => jsonRequest(token, request))
    return writeOutcome(answer, (body) => jiraWritten(account, body))
  },
  look: async ({ action, account, call }) => {
    const url = new URL(`${jiraApi(account)}/search/jql`)
    url.searchParams.set('jql', `labels = "${jiraLabel(action)}"`)
    url.searchParams.set('fields', 'summary')
    const { status, body } = await call((token) => jsonRequest(token, { method: 'GET', url: url.href }))
    if (status >= 300) return { kind: 'unknown' }
    const written = jiraWritten(account, listAt(body, 'issues')[0])
    return written === null ? { kind: 'absent' } : { kind: 'found', written }
  },
}

/** Atlassian's document format, one paragraph a line. */
function jiraDocument(text: string): object {
  const paragraphs = text.split('\n').map((line) => ({
    type: 'paragraph',
    content: line === '' ? [] : [{ type: 'text', text: line }],
  }))
  return { type: 'doc', version: 1, content: paragraphs }
}
