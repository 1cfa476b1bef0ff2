import type { ProviderName } from '../../providers/provider.ts'
import type { ActionName } from './action.rules.ts'
import { slackSummary, teamsSummary } from './chats.ts'
import { googleDocument, googleRewrite, notionPage, notionRewrite } from './documents.ts'
import { hubspotMeeting } from './meeting-records.ts'
import { githubIssue, jiraIssue, linearIssue } from './trackers.ts'
import type { MeetingContent, TaskText, Writer, Writers } from './writer.ts'

const ofMeetings: Writers<MeetingContent> = {
  'slack post_summary': slackSummary,
  'microsoft post_summary': teamsSummary,
  'notion export_meeting': notionPage,
  'notion update_export': notionRewrite,
  'google export_meeting': googleDocument,
  'google update_export': googleRewrite,
  'hubspot log_meeting': hubspotMeeting,
}

const ofTasks: Writers<TaskText> = {
  'github create_issue': githubIssue,
  'linear create_issue': linearIssue,
  'atlassian create_issue': jiraIssue,
}

// biome-ignore lint/suspicious/noExplicitAny: what is read for an action fits its writer by the names in these tables
export function writerOf(provider: ProviderName, action: ActionName): Writer<any> | null {
  return ofMeetings[`${provider} ${action}`] ?? ofTasks[`${provider} ${action}`] ?? null
}
