import { cleanLine } from '../../kernel/clean-text.ts'
import type { ProviderRequest, Target } from '../provider.ts'
import type { ReceivedAnswer } from '../provider-http.ts'

/** What is written about a meeting. */
export type MeetingContent = { title: string; at: Date; summary: string; speakers: string[] }
/** What is written about a task. */
export type TaskText = { title: string; description: string; due: string | null }

/** What is said in a chat. */
export type AnswerText = { text: string }

/** What an action wrote. */
export type Written = {
  externalId: string
  externalUrl: string | null
  /** Of a new issue: the tracker's id, where the answer has it, and the key for people. */
  issue?: { id: string | null; key: string }
}

/** `refused`: the provider said no, and nothing was written. `unsent`: nothing was asked of it. `unknown`: nobody can tell. */
export type WriteOutcome =
  | { kind: 'written'; written: Written }
  | { kind: 'refused'; status: number }
  | { kind: 'unsent' }
  | { kind: 'unknown' }
export type LookOutcome = { kind: 'found'; written: Written } | { kind: 'absent' } | { kind: 'unknown' }

export type WriteContext = {
  /** The id marks what is written, so that it can be found. `externalId`: what an earlier action has written. */
  action: { id: string; target: Target; externalId: string | null }
  account: { id: string | null; name: string | null }
  /** When a request may first have reached the provider. */
  sentAt: Date
  /** One call of the provider's API, with the access token. */
  call(toRequest: (accessToken: string) => ProviderRequest): Promise<ReceivedAnswer>
}

/** A request whose answer was awaited in vain for 20 s may still have its effect: from then on we believe that it has not. */
export const lateSeconds = 30

/**
 * How a provider is written to once. `look` finds by the id or the marker of the action what an earlier request has written;
 * it is asked after a lost answer, and no earlier than `lagSeconds` after the request, when the provider's index has it. Zero: the
 * provider refuses a second one with the same id.
 */
export type Writer<Content, Context = WriteContext> = {
  lagSeconds: number
  write: (content: Content, context: Context) => Promise<WriteOutcome>
  /** Null: writing again changes nothing. */
  look: ((context: Context, content: Content) => Promise<LookOutcome>) | null
}

/** 5xx and 408: nobody knows. Other refusals wrote nothing. */
export function writeOutcome(answer: ReceivedAnswer, read: (body: unknown) => Written | null): WriteOutcome {
  const { status, body } = answer
  if (status >= 500 || status === 408) return { kind: 'unknown' }
  if (status >= 300) return { kind: 'refused', status }
  const written = read(body)
  return written === null ? { kind: 'unknown' } : { kind: 'written', written }
}

/** Below the limits of all trackers. */
const titleLettersMax = 250

/** A title as it is written, and as it then comes back. */
export const writtenTitle = (title: string): string => cleanLine(title, titleLettersMax)
