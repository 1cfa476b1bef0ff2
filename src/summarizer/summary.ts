/** One thing said, as a meeting keeps it; `timestamp` is the offset into the meeting, `HH:MM:SS`. */
export type TranscriptEntry = { speaker: string; text: string; timestamp: string }

export const summaryModes = ['short', 'detailed'] as const
export type SummaryMode = (typeof summaryModes)[number]

export const personalities = ['supportive', 'challenger', 'neutral', 'analyst', 'coach'] as const
export type Personality = (typeof personalities)[number]

/** `language` is a BCP 47 tag; found from the text when absent. */
export type SummaryRequest = {
  title: string
  transcript: readonly TranscriptEntry[]
  mode: SummaryMode
  personality: Personality
  language?: string
}

/**
 * One sentence of a summary. `speech` rests on the words of the cited entries, `record` on the counts and times of the record;
 * a citation is an index into the transcript. Only a `record` sentence may have none: of an empty transcript there is nothing to cite.
 * `speaker` is whose words a `speech` sentence reports. `padding` marks what is there for the promised length alone.
 */
export type SummarySentence = {
  text: string
  citations: number[]
  basis: 'speech' | 'record'
  speaker?: string
  padding?: boolean
}

export type SummarySection = { heading: string; sentences: SummarySentence[] }

/** `share` is the part of all words spoken, from 0 to 1. `contribution` is the text of the person's part. */
export type Participant = {
  speaker: string
  turns: number
  wordsSpoken: number
  share: number
  contribution: string
  citations: number[]
}

/** `text` is verbatim but for fillers; `due` are the speaker's own words. */
export type Decision = { text: string; citations: number[] }
export type ActionItem = { text: string; owner?: string; due?: string; citations: number[] }
export type Question = { text: string; speaker: string; citations: number[] }

/** `sections` is one section without heading in short mode. `text` holds nothing but headings and sentences. */
export type Summary = {
  mode: SummaryMode
  text: string
  sections: SummarySection[]
  sentenceCount: number
  wordCount: number
  participants: Participant[]
  decisions: Decision[]
  actionItems: ActionItem[]
  questions: Question[]
  keywords: string[]
  language: string
  engine: 'local'
  engineVersion: string
}
