import type { ProviderName } from '../emulators/emulator.ts'
import type { IntegrationLab } from './integrations.ts'

type Row = Record<string, unknown>
export type IssueEdit = {
  title?: string
  status?: 'open' | 'in_progress' | 'done' | 'dismissed'
  assignee?: string | null
  due?: string | null
}
export type IssueView = { title: string; status: string; assignee: string | null; due?: string | null }

/** A tracker, as a person there sees its issues and edits them. `issue` is the key. */
export type TrackerCase = {
  provider: ProviderName
  target: Record<string, string>
  hasDue: boolean
  statuses: string[]
  people: { ada: string; ben: string }
  read(lab: IntegrationLab, issue: string): IssueView
  edit(lab: IntegrationLab, issue: string, edit: IssueEdit): void
  /** Whether a request wrote an issue; of which one, where it is known. */
  isWrite(entry: { method: string; path: string; body: string | null }, issue?: string): boolean
}

const rows = (value: unknown): Row[] =>
  Array.isArray(value) ? value : (Object.values((value ?? {}) as object).find(Array.isArray) ?? [])
const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce((found, name) => (found as Row | null | undefined)?.[name], value)

const linearStates = {
  open: '0a6f2b9c-1f55-4d0b-8c4a-0e6f6b0f7a01',
  in_progress: '0a6f2b9c-1f55-4d0b-8c4a-0e6f6b0f7a02',
  done: '0a6f2b9c-1f55-4d0b-8c4a-0e6f6b0f7a03',
  dismissed: '0a6f2b9c-1f55-4d0b-8c4a-0e6f6b0f7a04',
}
const linearTypes: Record<string, string> = {
  unstarted: 'open',
  started: 'in_progress',
  completed: 'done',
  canceled: 'dismissed',
}
const jiraTransitions = { open: '11', in_progress: '21', done: '31', dismissed: '31' }
const jiraCategories: Record<string, string> = { new: 'open', indeterminate: 'in_progress', done: 'done' }

export const trackerCases: TrackerCase[] = [
  {
    provider: 'github',
    target: { repository: 'example/website' },
    hasDue: false,
    statuses: ['open', 'done', 'dismissed'],
    people: { ada: 'ada-example', ben: 'ben-example' },
    read: ({ emulators }, number) => {
      const issue = rows(emulators.control('github', 'issues')).find((it) => String(it['number']) === number)
      const isDone = issue?.['state_reason'] !== 'not_planned'
      return {
        title: String(issue?.['title']),
        status: issue?.['state'] === 'open' ? 'open' : isDone ? 'done' : 'dismissed',
        assignee: (at(issue, 'assignee', 'login') as string | undefined) ?? null,
      }
    },
    edit: ({ emulators }, number, { title, status, assignee }) =>
      emulators.control('github', 'editIssue', {
        repository: 'example/website',
        number: Number(number),
        ...(title === undefined ? {} : { title }),
        ...(status === undefined ? {} : { state: ['open', 'in_progress'].includes(status) ? 'open' : 'closed' }),
        ...(status === 'dismissed' ? { state_reason: 'not_planned' } : {}),
        ...(status === 'done' ? { state_reason: 'completed' } : {}),
        ...(assignee === undefined ? {} : { assignees: assignee === null ? [] : [assignee] }),
      }),
    isWrite: ({ method, path }, number) =>
      ['POST', 'PATCH'].includes(method) &&
      (number === undefined ? path.includes('/issues') : path.endsWith(`/issues/${number}`)),
  },
  {
    provider: 'linear',
    target: { teamId: '4f2c9d53-7e0c-4b5b-9a7e-3c1b6f0e8d11' },
    hasDue: true,
    statuses: ['open', 'in_progress', 'done', 'dismissed'],
    people: { ada: '', ben: '' },
    read: ({ emulators }, id) => {
      const issue = rows(emulators.control('linear', 'issues')).find((it) => it['id'] === id)
      return {
        title: String(issue?.['title']),
        status: linearTypes[String(at(issue, 'state', 'type'))] ?? '?',
        assignee: (at(issue, 'assignee', 'id') as string | undefined) ?? null,
        due: (issue?.['dueDate'] as string | null) ?? null,
      }
    },
    edit: ({ emulators }, id, { title, status, assignee, due }) =>
      emulators.control('linear', 'editIssue', {
        id,
        ...(title === undefined ? {} : { title }),
        ...(status === undefined ? {} : { stateId: linearStates[status] }),
        ...(assignee === undefined ? {} : { assigneeId: assignee }),
        ...(due === undefined ? {} : { dueDate: due }),
      }),
    isWrite: ({ body }, id) => /issue(Create|Update)\(/.test(body ?? '') && (body ?? '').includes(id ?? ''),
  },
  {
    provider: 'atlassian',
    target: { projectId: '10000' },
    hasDue: true,
    statuses: ['open', 'in_progress', 'done'],
    people: { ada: '5b10a2844c20165700ede21g', ben: '5b10ac8d82e05b22cc7d4ef5' },
    read: ({ emulators }, id) => {
      const issue = rows(emulators.control('atlassian', 'issues')).find((it) => it['id'] === id)
      const fields = (issue?.['fields'] ?? {}) as Row
      return {
        title: String(fields['summary']),
        status: jiraCategories[String(at(fields, 'status', 'statusCategory', 'key'))] ?? '?',
        assignee: (at(fields, 'assignee', 'accountId') as string | undefined) ?? null,
        due: (fields['duedate'] as string | null) ?? null,
      }
    },
    edit: ({ emulators }, id, { title, status, assignee, due }) =>
      emulators.control('atlassian', 'editIssue', {
        key: id,
        fields: {
          ...(title === undefined ? {} : { summary: title }),
          ...(assignee === undefined ? {} : { assignee: assignee === null ? null : { accountId: assignee } }),
          ...(due === undefined ? {} : { duedate: due }),
        },
        ...(status === undefined ? {} : { transition: jiraTransitions[status] }),
      }),
    isWrite: ({ method, path }, id) =>
      ['POST', 'PUT'].includes(method) && path.includes(id === undefined ? '/issue' : `/issue/${id}`),
  },
]
