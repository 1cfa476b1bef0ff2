import { type Json, valueAt } from '../json.ts'
import { Unprocessable } from '../processing.ts'
import { issueStatus, type LinkedIssue, type Tracker } from './issue.rules.ts'
import { type IssueUpdate, ignored, type NormalizedDelivery } from './normalized-delivery.ts'
import { listAt, oneLine, parseDay, parseTime, toExternalId, webUrl } from './payload.ts'

const titleLengthMax = 500
const nameLengthMax = 200

/** https://developer.atlassian.com/cloud/jira/platform/webhooks: `webhookEvent`, `timestamp`, `user`, `issue`. */
export function readJira(payload: Json): NormalizedDelivery {
  const event = valueAt(payload, 'webhookEvent')
  if (typeof event !== 'string') throw new Unprocessable('The delivery has no webhookEvent.')
  const key = () => oneLine(valueAt(payload, 'issue', 'key'), nameLengthMax) ?? '?'
  if (/^comment_(?:created|updated|deleted)$/.test(event)) return { kind: 'comment', key: key() }
  const isDeletion = event === 'jira:issue_deleted'
  if (!isDeletion && event !== 'jira:issue_created' && event !== 'jira:issue_updated') return ignoredEvent(event)
  const fields = valueAt(payload, 'issue', 'fields')
  const status = textOrNull(valueAt(fields, 'status', 'statusCategory', 'key'))
  const site = webUrl(valueAt(payload, 'issue', 'self'))
  return {
    kind: isDeletion ? 'issue.deleted' : 'issue.upserted',
    issue: linkedIssue('jira', {
      id: valueAt(payload, 'issue', 'id'),
      key: valueAt(payload, 'issue', 'key'),
      title: valueAt(fields, 'summary'),
      // `self` is the address for the API. The page for people is /browse/KEY of the same site.
      url: site && new URL(`/browse/${encodeURIComponent(key())}`, site).href,
      status: issueStatus('jira', status, textOrNull(valueAt(fields, 'resolution', 'name'))),
      assignee: valueAt(fields, 'assignee', 'displayName'),
      due: valueAt(fields, 'duedate'),
    }),
    updatedAt:
      parseTime(isDeletion ? valueAt(payload, 'timestamp') : valueAt(fields, 'updated')) ??
      parseTime(valueAt(payload, 'timestamp')),
    marker: markerAt(valueAt(fields, 'labels')),
    assigneeId: oneLine(valueAt(fields, 'assignee', 'accountId'), nameLengthMax),
    actor:
      oneLine(valueAt(payload, 'user', 'accountId'), nameLengthMax) ??
      oneLine(valueAt(payload, 'user', 'name'), nameLengthMax),
  }
}

/** https://linear.app/developers/webhooks: `action`, `type`, `actor`, `data`, `createdAt` of the event. */
export function readLinear(payload: Json): NormalizedDelivery {
  const type = valueAt(payload, 'type')
  const action = valueAt(payload, 'action')
  if (typeof type !== 'string' || typeof action !== 'string')
    throw new Unprocessable('The delivery has no type or no action.')
  const data = valueAt(payload, 'data')
  if (type === 'Comment')
    return { kind: 'comment', key: oneLine(valueAt(data, 'issue', 'identifier'), nameLengthMax) ?? '?' }
  if (type !== 'Issue' || !['create', 'update', 'remove', 'restore'].includes(action))
    return ignoredEvent(`${type} ${action}`)
  const isDeletion = action === 'remove'
  return {
    kind: isDeletion ? 'issue.deleted' : 'issue.upserted',
    issue: linkedIssue('linear', {
      id: valueAt(data, 'id'),
      key: valueAt(data, 'identifier'),
      title: valueAt(data, 'title'),
      url: webUrl(valueAt(payload, 'url')) ?? webUrl(valueAt(data, 'url')),
      status: issueStatus('linear', textOrNull(valueAt(data, 'state', 'type')), null),
      assignee: valueAt(data, 'assignee', 'name'),
      due: valueAt(data, 'dueDate'),
    }),
    updatedAt:
      parseTime(isDeletion ? valueAt(payload, 'createdAt') : valueAt(data, 'updatedAt')) ??
      parseTime(valueAt(payload, 'createdAt')),
    // Its id is ours.
    marker: null,
    assigneeId: oneLine(valueAt(data, 'assignee', 'id') ?? valueAt(data, 'assigneeId'), nameLengthMax),
    actor: oneLine(valueAt(payload, 'actor', 'id'), nameLengthMax),
  }
}

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#issues and `#issue_comment`: a header names the event. */
export function readGithub(payload: Json, eventType: string): NormalizedDelivery {
  const [event = ''] = eventType.split(/[.:\s]/)
  const action = valueAt(payload, 'action')
  const issue = valueAt(payload, 'issue')
  if (event !== 'issues' && event !== 'issue_comment') return ignoredEvent(eventType)
  if (typeof action !== 'string' || issue === undefined)
    throw new Unprocessable('The delivery has no action or no issue.')
  const repository = oneLine(valueAt(payload, 'repository', 'full_name'), nameLengthMax) ?? '?'
  const key = `${repository}#${toExternalId(valueAt(issue, 'number')) ?? '?'}`
  if (valueAt(issue, 'pull_request') !== undefined) return ignored(`${key} is a pull request.`)
  if (event === 'issue_comment') return { kind: 'comment', key }
  // An issue that moves to another repository is announced there as a new one.
  const isDeletion = action === 'deleted' || action === 'transferred'
  const assignee = valueAt(issue, 'assignees', 0, 'login') ?? valueAt(issue, 'assignee', 'login')
  return {
    kind: isDeletion ? 'issue.deleted' : 'issue.upserted',
    issue: linkedIssue('github', {
      id: valueAt(issue, 'id'),
      key,
      title: valueAt(issue, 'title'),
      url: webUrl(valueAt(issue, 'html_url')),
      status: issueStatus('github', textOrNull(valueAt(issue, 'state')), textOrNull(valueAt(issue, 'state_reason'))),
      assignee,
      due: undefined,
    }),
    // A deletion does not change `updated_at`. Its time is unknown, but it is after that.
    updatedAt: isDeletion ? null : parseTime(valueAt(issue, 'updated_at')),
    ...(isDeletion ? { notBefore: parseTime(valueAt(issue, 'updated_at')) } : {}),
    marker: markerAt([valueAt(issue, 'body') ?? null]),
    assigneeId: oneLine(assignee, nameLengthMax),
    actor: oneLine(valueAt(payload, 'sender', 'login'), nameLengthMax),
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

function linkedIssue(provider: Tracker, parts: IssueParts): IssueUpdate['issue'] {
  const externalId = toExternalId(parts.id)
  const key = oneLine(parts.key, nameLengthMax)
  if (externalId === null || key === null) throw new Unprocessable('The issue has no id or no key.')
  return {
    provider,
    externalId,
    key,
    url: parts.url,
    title: oneLine(parts.title, titleLengthMax) ?? key,
    status: parts.status,
    assignee: oneLine(parts.assignee, nameLengthMax),
    due: parseDay(parts.due),
  }
}

/** Our own marker: a label, or a hidden comment in the text. */
function markerAt(texts: Json | undefined): string | null {
  for (const text of listAt(texts, 100)) {
    if (typeof text !== 'string') continue
    const marker = /atrium[:-]([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})/.exec(text)?.[1]
    if (marker !== undefined) return marker
  }
  return null
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}

function ignoredEvent(event: string): NormalizedDelivery {
  return ignored(`Nothing is done for ${oneLine(event, 100) ?? 'an event without a name'}.`)
}
