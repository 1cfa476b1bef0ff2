import type { PersonalityName } from '../../meetings/meeting.rules.ts'

export type Finding = { passages: number; matches: number; entries: number }

type Tone = { opening(finding: Finding): string; nothing(entries: number): string; closing: string }

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`
const entriesOf = (count: number) => counted(count, 'entry', 'entries')

/** How a personality speaks around the quotes; what it says of the record is counted, never guessed. */
const tones: Record<PersonalityName, Tone> = {
  supportive: {
    opening: () => 'Good question. This is what was said about it:',
    nothing: () => 'I looked through the transcript and found nothing about this. Other words may help.',
    closing: 'I hope this helps.',
  },
  challenger: {
    opening: () => 'This is what the record holds; does it prove the point?',
    nothing: () => 'The record holds nothing about this. Who was to raise it?',
    closing: 'What is missing from it?',
  },
  neutral: {
    opening: () => 'The transcript says:',
    nothing: () => 'The transcript says nothing about this.',
    closing: '',
  },
  analyst: {
    opening: ({ passages, matches, entries }) =>
      `${matches} of ${entriesOf(entries)} ${matches === 1 ? 'holds' : 'hold'} words of the question; the closest ${counted(passages, 'one', 'ones')}:`,
    nothing: (entries) => `0 of ${entriesOf(entries)} hold a word of the question.`,
    closing: '',
  },
  coach: {
    opening: () => 'Let us look at what was said, one step at a time:',
    nothing: () => 'Nothing in the transcript speaks of this yet. What would you like to find out first?',
    closing: 'What do you take from it?',
  },
}

export function toneOf(personality: PersonalityName): Tone {
  return tones[personality]
}
