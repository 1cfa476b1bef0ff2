// A model's draft in, the parts of it that the transcript supports out.

import { splitWords } from '../language/words.ts'
import { withoutOffice } from '../sentences/meeting-record.ts'
import type { ActionItem, Decision, Question, SummaryRequest, TranscriptEntry } from '../summary.ts'
import { cleanText, withoutEndMarks } from '../text/clean-text.ts'
import { type CheckedSentence, lettersOnly, sentenceChecker } from './check-sentence.ts'
import type { Draft } from './draft.ts'
import type { DraftItem } from './draft-item.ts'
import { isVerbatim } from './evidence.ts'
import { isPromptInjection } from './prompt.ts'

export type CheckedDraft = {
  topics: string[]
  sentences: CheckedSentence[]
  /** At most one for each speaker. */
  contributions: Map<string, CheckedSentence>
  decisions: Decision[]
  actionItems: ActionItem[]
  questions: Question[]
}

const topicsMax = 10

/**
 * Keeps the parts of a draft that the transcript supports. Everything else is dropped silently, because it is not known
 * to be true.
 */
export function checkDraft(draft: Draft, request: SummaryRequest): CheckedDraft {
  const { transcript } = request
  const speakers = speakersByKey(transcript)
  const { check, isSaid } = sentenceChecker(request)
  const checkWithoutEndMark = (item: DraftItem) => {
    const checked = check(item)
    return (
      checked && { text: checked.text.replace(/[.?]$/, ''), confidence: 'high' as const, citations: checked.citations }
    )
  }
  return {
    topics: checkTopics(draft.topics, isSaid),
    sentences: withoutDuplicates(draft.sentences.map(check)),
    contributions: checkContributions(draft, { check, speakers, transcript }),
    decisions: withoutDuplicates(draft.decisions.map(checkWithoutEndMark)),
    actionItems: withoutDuplicates(
      draft.actionItems.map((item) => withOwner(checkWithoutEndMark(item), item, { speakers, transcript })),
    ),
    questions: withoutDuplicates(
      draft.questions.map((item) =>
        withSpeaker(checkWithoutEndMark(item), speakers.get(speakerKey(item.speaker)), transcript),
      ),
    ),
  }
}

type Known = { speakers: Map<string, string>; transcript: readonly TranscriptEntry[] }

const speakerKey = (name: string) => name.normalize('NFC').trim().toLowerCase()

/** People by their names, with and without an office. */
function speakersByKey(transcript: readonly TranscriptEntry[]): Map<string, string> {
  return new Map(
    transcript.flatMap(({ speaker }) => {
      const person = withoutOffice(speaker)
      return [speaker, person].map((name): [string, string] => [speakerKey(name), person])
    }),
  )
}

function withoutDuplicates<T extends { text: string }>(items: readonly (T | null)[]): T[] {
  const seen = new Set<string>()
  return items.filter(
    (it): it is T => it !== null && !seen.has(it.text.toLowerCase()) && !!seen.add(it.text.toLowerCase()),
  )
}

function checkTopics(topics: readonly string[], isSaid: (text: string) => boolean): string[] {
  const found = topics.flatMap((topic) => {
    const clean = withoutEndMarks(cleanText(topic))
    const isPhrase = clean !== '' && splitWords(clean).length <= 5 && lettersOnly(clean) === lettersOnly(topic)
    return isPhrase && !isPromptInjection(topic) && isSaid(clean) ? [{ text: clean }] : []
  })
  return withoutDuplicates(found)
    .slice(0, topicsMax)
    .map(({ text }) => text)
}

/** Kept only for a speaker of this meeting, and only if it cites something that speaker said. */
function checkContributions(
  draft: Draft,
  { check, speakers, transcript }: Known & { check: (item: DraftItem) => CheckedSentence | null },
): CheckedDraft['contributions'] {
  const found: CheckedDraft['contributions'] = new Map()
  for (const item of draft.contributions) {
    const speaker = speakers.get(speakerKey(item.speaker))
    if (speaker === undefined || found.has(speaker)) continue
    const checked = check(item)
    if (checked?.citations.some((i) => withoutOffice(transcript[i]?.speaker ?? '') === speaker))
      found.set(speaker, checked)
  }
  return found
}

function withOwner(
  checked: Decision | null,
  { owner, due }: Draft['actionItems'][number],
  { speakers, transcript }: Known,
): ActionItem | null {
  if (checked === null) return null
  const citedText = checked.citations.map((i) => transcript[i]?.text).join('\n')
  const known =
    owner === null ? undefined : (speakers.get(speakerKey(owner)) ?? (isVerbatim(owner, citedText) ? owner : undefined))
  const isDue = due !== null && isVerbatim(due, citedText) && lettersOnly(cleanText(due)) === lettersOnly(due)
  return {
    ...checked,
    ...(known === undefined ? {} : { owner: withoutEndMarks(cleanText(known)) }),
    ...(isDue ? { due: withoutEndMarks(due) } : {}),
  }
}

function withSpeaker(
  checked: Decision | null,
  speaker: string | undefined,
  transcript: readonly TranscriptEntry[],
): Question | null {
  const isAsked =
    speaker !== undefined && checked?.citations.some((i) => withoutOffice(transcript[i]?.speaker ?? '') === speaker)
  return isAsked ? ({ ...checked, speaker } as Question) : null
}
