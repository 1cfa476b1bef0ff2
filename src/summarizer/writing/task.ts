import type { Personality, Summary, SummaryMode, SummaryRequest, TranscriptEntry } from '../summary.ts'
import type { Draft } from './draft.ts'

/**
 * What a thread is given to summarize. The entries come as JSON in portions: bytes cross to a thread in no time, while a
 * copy of a hundred thousand objects would hold the event loop.
 */
export type Material = { title: string; mode: SummaryMode; personality: Personality; portions: Uint8Array[] }

/** `prompt`: what a model is to be sent. `model`: the summary of what it answered. */
export type WritingTask =
  | { kind: 'local'; material: Material }
  | { kind: 'prompt'; material: Material; inputTokensMax: number }
  | { kind: 'model'; material: Material; draft: Draft }

export type Prompt = { instructions: string; prompt: string; isExcerpt: boolean }

/** A sentence of a summary; `model`: in a model's words, checked against the cited entries. Citations are indexes. */
export type WrittenSentence = {
  text: string
  section: string
  citations: number[]
  basis: 'speech' | 'record' | 'model'
  padding: boolean
}

export type Written = Pick<
  Summary,
  'mode' | 'sentenceCount' | 'wordCount' | 'decisions' | 'actionItems' | 'questions'
> & {
  engine: 'local' | 'llm'
  text: string
  sentences: WrittenSentence[]
  participants: Summary['participants']
  topics: string[]
}

/** `isExcerpt`: the transcript was too long to be read whole. */
export type WrittenOfAll = Written & { isExcerpt: boolean }

type PortionEntry = [speaker: string, text: string, timestamp: string]

export function portionOf(entries: readonly TranscriptEntry[]): Uint8Array {
  const rows = entries.map(({ speaker, text, timestamp }): PortionEntry => [speaker, text, timestamp])
  return Buffer.from(JSON.stringify(rows))
}

export function requestOf({ portions, title, mode, personality }: Material): SummaryRequest {
  const transcript = portions.flatMap((portion) =>
    (JSON.parse(Buffer.from(portion).toString('utf8')) as PortionEntry[]).map(([speaker, text, timestamp]) => ({
      speaker,
      text,
      timestamp,
    })),
  )
  return { title, mode, personality, transcript }
}
