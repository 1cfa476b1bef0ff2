import type { PersonalityName } from '../meetings/meeting.rules.ts'

export type SearchCounts = { passages: number; matches: number; entries: number }

export type Tone = {
  opening(finding: SearchCounts): string
  /** Said where no word of the question occurs in the transcript. */
  nothing(entries: number): string
  /** Said where words of the question occur, but the model found no answer. */
  unanswered: string
  closing: string
  /** The instruction to a model. */
  instruction: string
}

const withCount = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`
const countEntries = (count: number) => withCount(count, 'entry', 'entries')

/** The words of each personality around the quotes. What they say about the transcript is counted, never guessed. */
const tones: Record<PersonalityName, Tone> = {
  supportive: {
    opening: () => 'Good question. This is what was said about it:',
    nothing: () => 'I looked through the transcript and found nothing about this. Other words may help.',
    unanswered: 'I found no clear answer in the transcript. This comes closest:',
    instruction: 'Be warm, and name who said or took on what.',
    closing: 'I hope this helps.',
  },
  challenger: {
    opening: () => 'This is what the record holds; does it prove the point?',
    nothing: () => 'The record holds nothing about this. Who was to raise it?',
    unanswered: 'The record does not answer this. What comes closest:',
    instruction: 'Be direct; say what was claimed without a figure, an owner or a date, if it was.',
    closing: 'What is missing from it?',
  },
  neutral: {
    opening: () => 'The transcript says:',
    nothing: () => 'The transcript says nothing about this.',
    unanswered: 'The transcript does not answer this. Closest to it:',
    instruction: 'Answer plainly.',
    closing: '',
  },
  analyst: {
    opening: ({ passages, matches, entries }) =>
      `${matches} of ${countEntries(entries)} ${matches === 1 ? 'holds' : 'hold'} words of the question; the closest ${withCount(passages, 'one', 'ones')}:`,
    nothing: (entries) => `0 of ${countEntries(entries)} hold a word of the question.`,
    unanswered: 'No entry answers this. The closest ones:',
    instruction: 'Begin with the figures, where any were named.',
    closing: '',
  },
  coach: {
    opening: () => 'Let us look at what was said, one step at a time:',
    nothing: () => 'Nothing in the transcript speaks of this yet. What would you like to find out first?',
    unanswered: 'The transcript leaves this open. What comes closest:',
    instruction: 'Answer in small steps.',
    closing: 'What do you take from it?',
  },
}

export function answerTone(personality: PersonalityName): Tone {
  return tones[personality]
}
