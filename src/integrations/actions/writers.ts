import type { ProviderName } from '../../providers/provider.ts'
import { slackAnswer, teamsAnswer } from '../../providers/writers/answers.ts'
import { slackSummary, teamsSummary } from '../../providers/writers/chats.ts'
import { googleDocument, googleRewrite, notionPage, notionRewrite } from '../../providers/writers/documents.ts'
import { githubIssue, jiraIssue, linearIssue } from '../../providers/writers/issues.ts'
import { hubspotMeeting } from '../../providers/writers/meeting-records.ts'
import type { AnswerText, MeetingContent, TaskText, WriteContext, Writer } from '../../providers/writers/writer.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Integration } from '../integrations/integration.rules.ts'
import type { Action, ActionName } from './action.rules.ts'

/** What this service knows of an action beside what providers are told. */
export type ActionContext = WriteContext & { scope: TenantScope; action: Action; integration: Integration }

type Writers<Content> = Partial<Record<`${ProviderName} ${ActionName}`, Writer<Content>>>

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

const ofAnswers: Writers<AnswerText> = {
  'slack send_answer': slackAnswer,
  'microsoft send_answer': teamsAnswer,
}

// biome-ignore lint/suspicious/noExplicitAny: what is read for an action fits its writer by the names in these tables
export function writerOf(provider: ProviderName, action: ActionName): Writer<any, ActionContext> | null {
  const name = `${provider} ${action}` as const
  return ofMeetings[name] ?? ofTasks[name] ?? ofAnswers[name] ?? null
}
