/** What an issue's status comes to, whatever its tracker calls it. */
export type IssueStatus = 'proposed' | 'open' | 'in_progress' | 'done' | 'dismissed'

export const trackers = ['jira', 'linear', 'github'] as const
export type Tracker = (typeof trackers)[number]

/**
 * What a tracker's own kinds of status come to. Jira: `statusCategory.key`
 * (https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-workflow-status-categories), and the resolutions
 * that mean that nobody did it. Linear: `state.type` (https://developers.linear.app/docs/graphql/working-with-the-graphql-api).
 * GitHub: `state` and `state_reason` (https://docs.github.com/en/rest/issues/issues).
 */
const statuses: Record<Tracker, Record<string, IssueStatus>> = {
  jira: {
    new: 'open',
    indeterminate: 'in_progress',
    done: 'done',
    "done/won't do": 'dismissed',
    "done/won't fix": 'dismissed',
    'done/declined': 'dismissed',
    'done/duplicate': 'dismissed',
    'done/cannot reproduce': 'dismissed',
  },
  linear: {
    triage: 'proposed',
    backlog: 'open',
    unstarted: 'open',
    started: 'in_progress',
    completed: 'done',
    canceled: 'dismissed',
    duplicate: 'dismissed',
  },
  github: {
    open: 'open',
    closed: 'done',
    'closed/not_planned': 'dismissed',
    'closed/duplicate': 'dismissed',
  },
}

/** Reads a tracker's status, and the reason for it where the tracker says one. Unknown words are `open`. */
export function issueStatusOf(tracker: Tracker, status: string | null, reason: string | null): IssueStatus {
  const known = new Map(Object.entries(statuses[tracker]))
  const word = status?.toLowerCase() ?? ''
  return known.get(`${word}/${reason?.toLowerCase() ?? ''}`) ?? known.get(word) ?? 'open'
}

/** An issue of a tracker as the provider last told of it. */
export type LinkedIssue = {
  provider: Tracker
  /** Stays when the issue is moved to another project; its `key` does not. */
  externalId: string
  /** For people: `ATR-17`, `acme/site#4`. */
  key: string
  url: string | null
  title: string
  status: IssueStatus
  assignee: string | null
  /** YYYY-MM-DD. */
  due: string | null
}
