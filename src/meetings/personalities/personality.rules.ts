import { type PersonalityName, settingsDefault } from '../meetings/meeting.rules.ts'

export type Personality = {
  name: PersonalityName
  isDefault: boolean
  /** How summaries and answers sound. */
  tone: string
  /** The subject of the extra section in a detailed summary. Null: no such section. */
  section: string | null
}

const descriptions: Record<PersonalityName, Pick<Personality, 'tone' | 'section'>> = {
  neutral: { tone: 'Plain minutes: answers only what was asked.', section: null },
  supportive: {
    tone: 'Warm: gives credit to people and encourages.',
    section: 'What went well, who helped whom, and a gentle next step.',
  },
  challenger: {
    tone: 'Asks for proof and names risks; answers with counter-questions.',
    section:
      'Points to challenge: claims without evidence, decisions without an owner or a date, questions without an answer.',
  },
  analyst: {
    tone: 'Numbers first.',
    section: 'Shares of the words, the number of questions, and the main topic.',
  },
  coach: { tone: 'Reflective: one step at a time.', section: 'One question for each participant to think about.' },
}

/** A personality changes the tone and one extra section, but never facts or length. */
export const personalities: Personality[] = Object.entries(descriptions).map(([name, { tone, section }]) => ({
  name: name as PersonalityName,
  isDefault: name === settingsDefault.personality,
  tone,
  section,
}))
