import { monitorEventLoopDelay } from 'node:perf_hooks'
import { itemIndex } from '../../../src/knowledge/search-index/item-index.service.ts'
import { transcriptIndex } from '../../../src/knowledge/search-index/transcript-index.service.ts'
import { searchableTranscripts } from '../../../src/meetings/transcripts/searchable-transcript.ts'
import { run, sql } from '../../../src/storage/query.ts'
import { testApp } from '../../harness/app.ts'
import { generatedText } from '../../harness/generated-text.ts'
import { knowledgeCalls, paragraph } from '../../harness/knowledge.ts'
import { meetingCalls } from '../../harness/meetings.ts'
import { organizationCalls } from '../../harness/organizations.ts'
import type { Row } from '../row.ts'

/** No input may hold the event loop for longer. */
const heldMsMax = 200
const millionCharacters = 3
const entryChars = 9_900

/** How long the event loop is held by what is long or unknown. */
export async function eventLoop(): Promise<Row[]> {
  const app = await testApp()
  const knowledge = knowledgeCalls(app)
  const key = await app.apiKey(await app.tenant())
  const owner = await organizationCalls(app).person(key)
  const { id: orgId } = await organizationCalls(app).create(owner)
  const { tenantId } = key
  const scope = app.scopeOf(tenantId)
  const text = generatedText(7)

  const { id: meetingId } = await meetingCalls(app).create(owner, { orgId })
  const entries = (millionCharacters * 1_000_000) / entryChars
  for (let seq = 1; seq <= entries; seq++) {
    const words = Array.from({ length: 80 }, text.sentence).join(' ').slice(0, entryChars)
    await run(
      scope,
      sql`insert into transcript_entries (tenant_id, meeting_id, seq, speaker, text, offset_seconds, words, changed_seq)
        values (${tenantId}, ${meetingId}, ${seq}, 'Ada', ${words}, ${seq}, 1, ${seq})`,
    )
  }
  const indexTranscript = transcriptIndex({ items: itemIndex(app), transcripts: searchableTranscripts })

  const collectionId = await knowledge.collection(tenantId, orgId)
  for (const sample of [
    'The house is in the city and the people are there.',
    'Das Haus ist in der Stadt und die Leute sind dort.',
    'La maison est dans la ville et les gens sont là avec nous.',
  ])
    await knowledge.document({ tenantId, orgId, collectionId, blocks: [paragraph(sample)] })
  const unknown = ['a', 'b', 'c', 'd'].map((letter) => `${letter}zqxwvutsrponmlkjihgfedc`).join(' ')

  return [
    await held(`index ${millionCharacters} million characters`, () => indexTranscript(scope, meetingId)),
    await held('correct four long words in three languages', () => knowledge.search(owner, orgId, unknown)),
    await held('ask with four long words', () => knowledge.ask(owner, orgId, unknown)),
  ]
}

async function held(what: string, work: () => Promise<unknown>): Promise<Row> {
  await work()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const startedAt = performance.now()
  await work()
  const tookMs = performance.now() - startedAt
  delay.disable()
  const toMs = (ns: number) => Math.round(ns / 1e5) / 10
  const [longestMs, p99Ms] = [toMs(delay.max), toMs(delay.percentile(99))]
  const broken = longestMs > heldMsMax ? `held the event loop for ${longestMs} ms` : ''
  return { what, tookMs: Math.round(tookMs), longestMs, p99Ms, broken }
}
