// The tasks that a worker is given, and how a transcript crosses to it.

import type { Draft } from '../model/draft.ts'
import type { Personality, SummaryMode, SummaryRequest, TranscriptEntry } from '../summary.ts'
import type { WrittenSummary } from '../written-summary.ts'

/**
 * What a worker summarizes. The entries cross as JSON in portions of bytes, which takes almost no time. Copying a
 * hundred thousand objects would block the event loop.
 */
export type SummaryMaterial = { title: string; mode: SummaryMode; personality: Personality; portions: Uint8Array[] }

/**
 * `local`: the local engine's summary. `prompt`: what to send to a model. `model`: the summary made of the model's
 * draft.
 */
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
