import { atlassianOauth } from './atlassian-oauth.ts'

type Status = { id: string; name: string; transitionId: string; statusCategory: { key: string; name: string } }

export type Issue = {
  id: string
  key: string
  summary: string
  description: unknown
  status: Status
  assignee: string | null
  duedate: string | null
  labels: string[]
  properties: Map<string, unknown>
  createdAt: Date
  updatedAt: Date
}

/** A workflow in which every status can be reached from every other. */
export const transitions: [Status, ...Status[]] = [
  { id: '10010', name: 'To Do', transitionId: '11', statusCategory: { key: 'new', name: 'To Do' } },
  {
    id: '10011',
    name: 'In Progress',
    transitionId: '21',
    statusCategory: { key: 'indeterminate', name: 'In Progress' },
  },
  { id: '10012', name: 'Done', transitionId: '31', statusCategory: { key: 'done', name: 'Done' } },
]

export function issuePaths({ id, key }: Issue) {
  return { id, key, self: `https://example.atlassian.net/rest/api/3/issue/${id}` }
}

export function shown(issue: Issue) {
  const person = atlassianOauth.people.find(({ id }) => id === issue.assignee)
  const assignee = person && { accountId: person.id, displayName: person.name, emailAddress: person.email }
  const { id, name, statusCategory } = issue.status
  return {
    ...issuePaths(issue),
    fields: {
      summary: issue.summary,
      description: issue.description,
      status: { id, name, statusCategory },
      assignee: assignee ?? null,
      duedate: issue.duedate,
      labels: issue.labels,
      created: issue.createdAt.toISOString(),
      updated: issue.updatedAt.toISOString(),
    },
    properties: Object.fromEntries(issue.properties),
  }
}
