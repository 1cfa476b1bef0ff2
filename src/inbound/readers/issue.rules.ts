/** The status of an issue, independent of its tracker. */
export type IssueStatus = 'proposed' | 'open' | 'in_progress' | 'done' | 'dismissed'

export const trackers = ['jira', 'linear', 'github'] as const
export type Tracker = (typeof trackers)[number]

/**
 * Maps the status of each tracker. Jira: `statusCategory.key`
 * (https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-workflow-status-categories), and the resolutions
 * that mean that the work was not done. Linear: `state.type` (https://developers.linear.app/docs/graphql/working-with-the-graphql-api).
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

/** Maps a tracker's status, and its reason where there is one. Unknown words are `open`. */
export function issueStatus(tracker: Tracker, status: string | null, reason: string | null): IssueStatus {
  const known = new Map(Object.entries(statuses[tracker]))
  const word = status?.toLowerCase() ?? ''
  return known.get(`${word}/${reason?.toLowerCase() ?? ''}`) ?? known.get(word) ?? 'open'
}

/** An issue of a tracker in the state that the provider last reported. */
export type LinkedIssue = {
  provider: Tracker
  /** Stays the same when the issue moves to another project. Its `key` changes. */
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
