import { type LinkedIssue, type Tracker, taskStatusOf } from '../../tasks/task.rules.ts'
import { Unprocessable } from '../processing.ts'
import { type IssueForm, ignored, type NormalForm } from './normal-form.ts'
import { at, dayOf, externalIdOf, type Json, lineOf, momentOf, urlOf } from './payload.ts'

const titleLengthMax = 500
const nameLengthMax = 200

/** https://developer.atlassian.com/cloud/jira/platform/webhooks: `webhookEvent`, `timestamp`, `user`, `issue`. */
export function readJira(payload: Json): NormalForm {
  const event = at(payload, 'webhookEvent')
  if (typeof event !== 'string') throw new Unprocessable('The delivery names no webhookEvent.')
  const key = () => lineOf(at(payload, 'issue', 'key'), nameLengthMax) ?? '?'
  if (/^comment_(?:created|updated|deleted)$/.test(event)) return { kind: 'comment', key: key() }
  const isDeletion = event === 'jira:issue_deleted'
  if (!isDeletion && event !== 'jira:issue_created' && event !== 'jira:issue_updated') return unknownEvent(event)
  const fields = at(payload, 'issue', 'fields')
  const status = textOf(at(fields, 'status', 'statusCategory', 'key'))
  const site = urlOf(at(payload, 'issue', 'self'))
  return {
    kind: isDeletion ? 'issue.deleted' : 'issue.upserted',
    issue: issueOf('jira', {
      id: at(payload, 'issue', 'id'),
      key: at(payload, 'issue', 'key'),
      title: at(fields, 'summary'),
      // `self` is the API's address of it; people see it at /browse/KEY of the same site.
      url: site && new URL(`/browse/${encodeURIComponent(key())}`, site).href,
      status: taskStatusOf('jira', status, textOf(at(fields, 'resolution', 'name'))),
      assignee: at(fields, 'assignee', 'displayName'),
      due: at(fields, 'duedate'),
    }),
    updatedAt:
      momentOf(isDeletion ? at(payload, 'timestamp') : at(fields, 'updated')) ?? momentOf(at(payload, 'timestamp')),
    actor:
      lineOf(at(payload, 'user', 'accountId'), nameLengthMax) ?? lineOf(at(payload, 'user', 'name'), nameLengthMax),
  }
}

/** https://linear.app/developers/webhooks: `action`, `type`, `actor`, `data`, `createdAt` of the event. */
export function readLinear(payload: Json): NormalForm {
  const type = at(payload, 'type')
  const action = at(payload, 'action')
  if (typeof type !== 'string' || typeof action !== 'string')
    throw new Unprocessable('The delivery names no type and action.')
  const data = at(payload, 'data')
  if (type === 'Comment') return { kind: 'comment', key: lineOf(at(data, 'issue', 'identifier'), nameLengthMax) ?? '?' }
  if (type !== 'Issue' || !['create', 'update', 'remove', 'restore'].includes(action))
    return unknownEvent(`${type} ${action}`)
  const isDeletion = action === 'remove'
  return {
    kind: isDeletion ? 'issue.deleted' : 'issue.upserted',
    issue: issueOf('linear', {
      id: at(data, 'id'),
      key: at(data, 'identifier'),
      title: at(data, 'title'),
      url: urlOf(at(payload, 'url')) ?? urlOf(at(data, 'url')),
      status: taskStatusOf('linear', textOf(at(data, 'state', 'type')), null),
      assignee: at(data, 'assignee', 'name'),
      due: at(data, 'dueDate'),
    }),
    updatedAt:
      momentOf(isDeletion ? at(payload, 'createdAt') : at(data, 'updatedAt')) ?? momentOf(at(payload, 'createdAt')),
    actor: lineOf(at(payload, 'actor', 'id'), nameLengthMax),
  }
}

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#issues and `#issue_comment`: the kind of event is in a header. */
export function readGithub(payload: Json, eventType: string): NormalForm {
  const [event = ''] = eventType.split(/[.:\s]/)
  const action = at(payload, 'action')
  const issue = at(payload, 'issue')
  if (event !== 'issues' && event !== 'issue_comment') return unknownEvent(eventType)
  if (typeof action !== 'string' || issue === undefined)
    throw new Unprocessable('The delivery holds no action and issue.')
  const repository = lineOf(at(payload, 'repository', 'full_name'), nameLengthMax) ?? '?'
  const key = `${repository}#${externalIdOf(at(issue, 'number')) ?? '?'}`
  if (at(issue, 'pull_request') !== undefined) return ignored(`${key} is a pull request.`)
  if (event === 'issue_comment') return { kind: 'comment', key }
  // One that goes to another repository is told of from there as a new one.
  const isDeletion = action === 'deleted' || action === 'transferred'
  return {
    kind: isDeletion ? 'issue.deleted' : 'issue.upserted',
    issue: issueOf('github', {
      id: at(issue, 'id'),
      key,
      title: at(issue, 'title'),
      url: urlOf(at(issue, 'html_url')),
      status: taskStatusOf('github', textOf(at(issue, 'state')), textOf(at(issue, 'state_reason'))),
      assignee: at(issue, 'assignee', 'login') ?? at(issue, 'assignees', 0, 'login'),
      due: undefined,
    }),
    // A deletion leaves `updated_at` as it was before: when it came is what is known of it, by a clock that is not GitHub's.
    updatedAt: isDeletion ? null : momentOf(at(issue, 'updated_at')),
    ...(isDeletion ? { notBefore: momentOf(at(issue, 'updated_at')) } : {}),
    actor: lineOf(at(payload, 'sender', 'login'), nameLengthMax),
  }
}

type IssueParts = {
  id: Json | undefined
  key: Json | undefined
  title: Json | undefined
  url: string | null
  status: LinkedIssue['status']
  assignee: Json | undefined
  due: Json | undefined
}

function issueOf(provider: Tracker, parts: IssueParts): IssueForm['issue'] {
  const externalId = externalIdOf(parts.id)
  const key = lineOf(parts.key, nameLengthMax)
  if (externalId === null || key === null) throw new Unprocessable('The issue has no id or no key.')
  return {
    provider,
    externalId,
    key,
    url: parts.url,
    title: lineOf(parts.title, titleLengthMax) ?? key,
    status: parts.status,
    assignee: lineOf(parts.assignee, nameLengthMax),
    due: dayOf(parts.due),
  }
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}

function unknownEvent(event: string): NormalForm {
  return ignored(`Nothing follows from ${lineOf(event, 100) ?? 'an event without a name'}.`)
}
