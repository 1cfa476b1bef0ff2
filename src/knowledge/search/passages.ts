import type { QuotableEntry, SearchableTranscripts } from '../../meetings/index.ts'
import type { Language } from '../../retrieval/language/language.ts'
import { missingWords } from '../../retrieval/words/missing-words.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { summarySentences } from '../search-index/summary-sentences.rules.ts'
import type { Candidate } from './candidate.store.ts'
import {
  type CitedPlace,
  type DocumentPassage,
  meetingPassage,
  type Passage,
  type Quote,
  sliceCodePoints,
} from './passage.rules.ts'
import {
  type DocumentChunkKey,
  holdDocuments,
  listChunkEntries,
  listDocumentChunks,
  type StoredChunk,
} from './passage.store.ts'
import { type Asking, publicTag, type ReadableSources } from './visible.store.ts'

export type PassageDeps = { readableSources: ReadableSources; transcripts: SearchableTranscripts }

/** A chunk that was found. */
type FoundChunk = Omit<Candidate, 'vector' | 'wordCount'>

type Readers = Pick<Asking, 'orgId' | 'reader'>

/** Reads what was found, as it is stored and as the reader may read it at this moment. */
export function passageReader({ readableSources, transcripts }: PassageDeps) {
  /** In the order of the candidates. What was erased, replaced or closed since they were found is left out. */
  async function read(scope: TenantScope, asking: Readers, candidates: readonly FoundChunk[]): Promise<Passage[]> {
    const documents = await readDocuments(scope, asking, candidates)
    const meetings = await readMeetings(scope, asking, candidates)
    return candidates.flatMap((it) => documents.get(chunkKey(it)) ?? meetings.get(chunkKey(it)) ?? [])
  }

  async function readDocuments(scope: TenantScope, asking: Readers, candidates: readonly FoundChunk[]) {
    const keys = candidates
      .filter(({ kind }) => kind === 'document')
      .map(({ itemId: documentId, version, ordinal }) => ({ documentId, version, ordinal }))
    const chunks = await storedChunks(scope, asking, keys)
    const languages = new Map(candidates.map(({ itemId, language }) => [itemId, language]))
    const current = chunks.filter(({ isCurrent }) => isCurrent)
    return new Map<string, Passage>(
      current.map((chunk) => {
        const passage = documentPassage(chunk, languages.get(chunk.documentId) ?? 'und')
        return [chunkKey(passage), passage]
      }),
    )
  }

  async function readMeetings(scope: TenantScope, asking: Readers, candidates: readonly FoundChunk[]) {
    const wanted = candidates.filter(({ kind }) => kind === 'meeting')
    const found = new Map(wanted.map((it) => [it.indexedId, it]))
    const chunks = wanted.length === 0 ? [] : await listChunkEntries(scope, wanted)
    const parts = chunks.flatMap(({ indexedId, ordinal, seqs, starts, ends }) => {
      const candidate = found.get(indexedId)
      if (candidate === undefined) return []
      const { itemId, language } = candidate
      const parts = seqs.map((seq, index) => ({ seq, start: starts[index] ?? 0, end: ends[index] ?? 0 }))
      return [{ itemId, language, ordinal, parts }]
    })
    const keys = parts.flatMap(({ itemId, parts }) => parts.map(({ seq }) => ({ meetingId: itemId, seq })))
    const entriesOf = await readEntries(scope, asking, keys)
    const readable = [...entriesOf.keys()]
    const pointers = readable.length === 0 ? [] : await transcripts.listSummaryPointers(scope, readable)
    const sentencesAbout = summarySentences(pointers)
    return new Map<string, Passage>(
      parts.flatMap(({ itemId, language, ordinal, parts }) => {
        const entries = entriesOf.get(itemId) ?? new Map<number, QuotableEntry>()
        const summaryWords = (seqs: readonly number[], text: string) =>
          missingWords(sentencesAbout(itemId, seqs), text, language)
        const passage = meetingPassage({ itemId, ordinal, language }, { parts, entries, summaryWords })
        return passage === null ? [] : [[chunkKey(passage), passage]]
      }),
    )
  }

  /** Until the transaction ends nothing of what is cited is deleted. */
  async function hold(tx: TenantScope, places: readonly CitedPlace[]): Promise<void> {
    const ids = (kind: CitedPlace['kind']) => [
      ...new Set(places.filter((it) => it.kind === kind).map(({ itemId }) => itemId)),
    ]
    await transcripts.holdAll(tx, ids('meeting'))
    await holdDocuments(tx, ids('document'))
  }

  /** What cited places say. `isCurrent`: only of current versions. Null for each that was erased or changed, or that the reader may not read any more. */
  async function quote(
    scope: TenantScope,
    { isCurrent, ...asking }: Readers & { isCurrent: boolean },
    places: readonly CitedPlace[],
  ): Promise<(Quote | null)[]> {
    const documents = places.filter(({ kind }) => kind === 'document')
    const chunks = await storedChunks(
      scope,
      asking,
      documents.map(({ itemId, version, place }) => ({ documentId: itemId, version, ordinal: place })),
    )
    const meetings = places.filter(({ kind }) => kind === 'meeting')
    const entries = await readEntries(
      scope,
      asking,
      meetings.map(({ itemId, place }) => ({ meetingId: itemId, seq: place })),
    )
    const usable = chunks.filter((it) => it.isCurrent || !isCurrent)
    const chunkOf = new Map(usable.map((it) => [versionKey(it.documentId, it.version, it.ordinal), it]))
    return places.map((place) =>
      place.kind === 'document'
        ? quoteOfChunk(place, chunkOf.get(versionKey(place.itemId, place.version, place.place)))
        : quoteOfEntry(place, entries.get(place.itemId)?.get(place.place)),
    )
  }

  const storedChunks = async (scope: TenantScope, { orgId, reader }: Readers, keys: readonly DocumentChunkKey[]) => {
    if (keys.length === 0) return []
    const { collections } = readableSources(reader, { tenantId: scope.tenantId, orgId })
    return listDocumentChunks(scope, { orgId, collections, tag: reader === 'PUBLIC' ? publicTag : null }, keys)
  }

  async function readEntries(scope: TenantScope, asking: Readers, keys: { meetingId: string; seq: number }[]) {
    const entries = keys.length === 0 ? [] : await transcripts.readEntries(scope, asking, keys)
    const byMeeting = new Map<string, Map<number, QuotableEntry>>()
    for (const entry of entries) {
      const known = byMeeting.get(entry.meetingId) ?? new Map<number, QuotableEntry>()
      byMeeting.set(entry.meetingId, known.set(entry.seq, entry))
    }
    return byMeeting
  }

  return { read, quote, hold }
}

export type PassageReader = ReturnType<typeof passageReader>

const chunkKey = ({ itemId, ordinal }: { itemId: string; ordinal: number }) => `${itemId} ${ordinal}`
const versionKey = (documentId: string, version: number, ordinal: number) => `${documentId} ${version} ${ordinal}`

function documentPassage({ documentId, isCurrent: _, ...chunk }: StoredChunk, language: Language): DocumentPassage {
  return { kind: 'document', itemId: documentId, ...chunk, language }
}

function quoteOfChunk(place: CitedPlace, chunk: StoredChunk | undefined): Quote | null {
  if (chunk === undefined) return null
  const { title, page, headings, text, start } = chunk
  const quote = sliceCodePoints(text, place.start - start, place.end - start)
  return { ...place, quote, title, page, headings, speaker: null, timestamp: null }
}

function quoteOfEntry(place: CitedPlace, entry: QuotableEntry | undefined): Quote | null {
  if (entry === undefined || entry.changedSeq !== place.version) return null
  const { title, speaker, timestamp, text } = entry
  const quote = sliceCodePoints(text, place.start, place.end)
  return { ...place, quote, title, page: null, headings: [], speaker, timestamp }
}
