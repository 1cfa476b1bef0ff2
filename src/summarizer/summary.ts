/** One entry of a transcript. `timestamp` is the offset into the meeting, `HH:MM:SS`. */
export type TranscriptEntry = { speaker: string; text: string; timestamp: string }

export const summaryModes = ['short', 'detailed'] as const
export type SummaryMode = (typeof summaryModes)[number]

export const personalities = ['supportive', 'challenger', 'neutral', 'analyst', 'coach'] as const
export type Personality = (typeof personalities)[number]

/** `language` is a BCP 47 tag. Detected from the text when absent. */
export type SummaryRequest = {
  title: string
  transcript: readonly TranscriptEntry[]
  mode: SummaryMode
  personality: Personality
  language?: string
}

/**
 * One sentence of a summary. `speech` rests on the words of the cited entries, `record` on counts and times. A citation
 * is an index into the transcript. Only a `record` sentence of an empty transcript may have none. `speaker` is the
 * person whose words a `speech` sentence reports. `padding` marks a sentence that only fills the promised length. `role`
 * is what a sentence of a short summary is for, where it does not report one sentence; `gap` tells of what was not found.
 */
export type SummarySentence = {
  text: string
  citations: number[]
  basis: 'speech' | 'record'
  speaker?: string
  padding?: boolean
  role?: 'outline' | 'outcome' | 'personal' | 'gap'
}

export type SummarySection = { heading: string; sentences: SummarySentence[] }

/** `share` is the share of all words, from 0 to 1. `contribution` is the text about the person's part. */
export type Participant = {
  speaker: string
  turns: number
  wordsSpoken: number
  share: number
  contribution: string
  citations: number[]
}

/** `high`: said in so many words, or agreed to by somebody else. Only these are in the text of a summary. */
export type Confidence = 'high' | 'low'
/** `text` is verbatim except for fillers. `due` is in the speaker's own words. */
export type Decision = { text: string; confidence: Confidence; citations: number[] }
export type ActionItem = { text: string; owner?: string; due?: string; confidence: Confidence; citations: number[] }
export type Question = { text: string; speaker: string; citations: number[] }

/** In short mode `sections` is one section without a heading. `text` holds only headings and sentences. */
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
