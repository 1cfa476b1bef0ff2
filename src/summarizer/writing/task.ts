import type { Draft } from '../model/draft.ts'
import type { Personality, SummaryMode, SummaryRequest, TranscriptEntry } from '../summary.ts'
import type { WrittenSummary } from '../written-summary.ts'

/**
 * What a thread is given to summarize. The entries come as JSON in portions: bytes cross to a thread in no time, while a
 * copy of a hundred thousand objects would hold the event loop.
 */
export type SummaryMaterial = { title: string; mode: SummaryMode; personality: Personality; portions: Uint8Array[] }

/** `prompt`: what a model is to be sent. `model`: the summary of what it answered. */
export type WritingTask =
  | { kind: 'local'; material: SummaryMaterial }
  | { kind: 'prompt'; material: SummaryMaterial; inputTokensMax: number }
  | { kind: 'model'; material: SummaryMaterial; draft: Draft }

/** `isExcerpt`: the transcript was too long to be read whole. */
export type WriterAnswer = WrittenSummary & { isExcerpt: boolean }

type PortionEntry = [speaker: string, text: string, timestamp: string]

export function encodePortion(entries: readonly TranscriptEntry[]): Uint8Array {
  const rows = entries.map(({ speaker, text, timestamp }): PortionEntry => [speaker, text, timestamp])
  return Buffer.from(JSON.stringify(rows))
}

export function decodeRequest({ portions, title, mode, personality }: SummaryMaterial): SummaryRequest {
  const transcript = portions.flatMap((portion) =>
    (JSON.parse(Buffer.from(portion).toString('utf8')) as PortionEntry[]).map(([speaker, text, timestamp]) => ({
      speaker,
      text,
      timestamp,
    })),
  )
  return { title, mode, personality, transcript }
}
