import { type Json, valueAt } from '../json.ts'
import { Unprocessable } from '../processing.ts'
import { issueStatusOf, type LinkedIssue, type Tracker } from './issue.rules.ts'
import { type IssueForm, ignored, type NormalForm } from './normal-form.ts'
import { dayOf, externalIdOf, lineOf, momentOf, urlOf } from './payload.ts'

const titleLengthMax = 500
const nameLengthMax = 200

/** https://developer.atlassian.com/cloud/jira/platform/webhooks: `webhookEvent`, `timestamp`, `user`, `issue`. */
export function readJira(payload: Json): NormalForm {
  const event = valueAt(payload, 'webhookEvent')
  if (typeof event !== 'string') throw new Unprocessable('The delivery names no webhookEvent.')
  const key = () => lineOf(valueAt(payload, 'issue', 'key'), nameLengthMax) ?? '?'
  if (/^comment_(?:created|updated|deleted)$/.test(event)) return { kind: 'comment', key: key() }
  const isDeletion = event === 'jira:issue_deleted'
  if (!isDeletion && event !== 'jira:issue_created' && event !== 'jira:issue_updated') return unknownEvent(event)
  const fields = valueAt(payload, 'issue', 'fields')
  const status = textOf(valueAt(fields, 'status', 'statusCategory', 'key'))
  const site = urlOf(valueAt(payload, 'issue', 'self'))
  return {
    kind: isDeletion ? 'issue.deleted' : 'issue.upserted',
    issue: issueOf('jira', {
      id: valueAt(payload, 'issue', 'id'),
      key: valueAt(payload, 'issue', 'key'),
      title: valueAt(fields, 'summary'),
      // `self` is the API's address of it; people see it at /browse/KEY of the same site.
      url: site && new URL(`/browse/${encodeURIComponent(key())}`, site).href,
      status: issueStatusOf('jira', status, textOf(valueAt(fields, 'resolution', 'name'))),
      assignee: valueAt(fields, 'assignee', 'displayName'),
      due: valueAt(fields, 'duedate'),
    }),
    updatedAt:
      momentOf(isDeletion ? valueAt(payload, 'timestamp') : valueAt(fields, 'updated')) ??
      momentOf(valueAt(payload, 'timestamp')),
    actor:
      lineOf(valueAt(payload, 'user', 'accountId'), nameLengthMax) ??
      lineOf(valueAt(payload, 'user', 'name'), nameLengthMax),
  }
}

/** https://linear.app/developers/webhooks: `action`, `type`, `actor`, `data`, `createdAt` of the event. */
export function readLinear(payload: Json): NormalForm {
  const type = valueAt(payload, 'type')
  const action = valueAt(payload, 'action')
  if (typeof type !== 'string' || typeof action !== 'string')
    throw new Unprocessable('The delivery names no type and action.')
  const data = valueAt(payload, 'data')
  if (type === 'Comment')
    return { kind: 'comment', key: lineOf(valueAt(data, 'issue', 'identifier'), nameLengthMax) ?? '?' }
  if (type !== 'Issue' || !['create', 'update', 'remove', 'restore'].includes(action))
    return unknownEvent(`${type} ${action}`)
  const isDeletion = action === 'remove'
  return {
    kind: isDeletion ? 'issue.deleted' : 'issue.upserted',
    issue: issueOf('linear', {
      id: valueAt(data, 'id'),
      key: valueAt(data, 'identifier'),
      title: valueAt(data, 'title'),
      url: urlOf(valueAt(payload, 'url')) ?? urlOf(valueAt(data, 'url')),
      status: issueStatusOf('linear', textOf(valueAt(data, 'state', 'type')), null),
      assignee: valueAt(data, 'assignee', 'name'),
      due: valueAt(data, 'dueDate'),
    }),
    updatedAt:
      momentOf(isDeletion ? valueAt(payload, 'createdAt') : valueAt(data, 'updatedAt')) ??
      momentOf(valueAt(payload, 'createdAt')),
    actor: lineOf(valueAt(payload, 'actor', 'id'), nameLengthMax),
  }
}

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#issues and `#issue_comment`: the kind of event is in a header. */
export function readGithub(payload: Json, eventType: string): NormalForm {
  const [event = ''] = eventType.split(/[.:\s]/)
  const action = valueAt(payload, 'action')
  const issue = valueAt(payload, 'issue')
  if (event !== 'issues' && event !== 'issue_comment') return unknownEvent(eventType)
  if (typeof action !== 'string' || issue === undefined)
    throw new Unprocessable('The delivery holds no action and issue.')
  const repository = lineOf(valueAt(payload, 'repository', 'full_name'), nameLengthMax) ?? '?'
  const key = `${repository}#${externalIdOf(valueAt(issue, 'number')) ?? '?'}`
  if (valueAt(issue, 'pull_request') !== undefined) return ignored(`${key} is a pull request.`)
  if (event === 'issue_comment') return { kind: 'comment', key }
  // One that goes to another repository is told of from there as a new one.
  const isDeletion = action === 'deleted' || action === 'transferred'
  return {
    kind: isDeletion ? 'issue.deleted' : 'issue.upserted',
    issue: issueOf('github', {
      id: valueAt(issue, 'id'),
      key,
      title: valueAt(issue, 'title'),
      url: urlOf(valueAt(issue, 'html_url')),
      status: issueStatusOf('github', textOf(valueAt(issue, 'state')), textOf(valueAt(issue, 'state_reason'))),
      assignee: valueAt(issue, 'assignee', 'login') ?? valueAt(issue, 'assignees', 0, 'login'),
      due: undefined,
    }),
    // A deletion leaves `updated_at` as it was before: when it came is what is known of it, by a clock that is not GitHub's.
    updatedAt: isDeletion ? null : momentOf(valueAt(issue, 'updated_at')),
    ...(isDeletion ? { notBefore: momentOf(valueAt(issue, 'updated_at')) } : {}),
    actor: lineOf(valueAt(payload, 'sender', 'login'), nameLengthMax),
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
