import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'
import { meetingCalls, type TestEntry } from '../../../test/harness/meetings.ts'
import { completes, type ModelServer, startModelServer } from '../../../test/harness/model-server.ts'
import { spokenParts } from '../../../test/harness/spoken-parts.ts'
import { readDraft } from '../../summarizer/model/draft.ts'
import { summaryFromDraft } from '../../summarizer/model/summary-from-draft.ts'
import { personalities } from '../../summarizer/summary.ts'
import { countSentences } from '../../summarizer/text/sentence-counts.ts'
import { countWords } from '../../summarizer/text/word-counts.ts'
import { oneLine } from '../entries/entry.rules.ts'

let server: ModelServer
let local: Side
let model: Side
type Side = { app: TestApp; calls: ReturnType<typeof meetingCalls>; user: TestUser }

async function side(languageModel: Parameters<typeof testApp>[0] = {}): Promise<Side> {
  const app = await testApp(languageModel)
  const calls = meetingCalls(app)
  return { app, calls, user: await calls.someone() }
}

before(async () => {
  server = await startModelServer()
  const tokens = { tokensPerDay: 1_000_000_000, inputTokensMax: 24_000 }
  const settings = { baseUrl: server.baseUrl, apiKey: null, model: 'any', timeoutMs: 10_000, ...tokens }
  local = await side()
  model = await side({ languageModel: settings })
})
after(async () => {
  await Promise.all([local.app.app.flush(), model.app.app.flush(), server.close()])
})

const isKept = (text: string) => /\S/.test(text) && text.isWellFormed() && !text.includes('\0')
const words = fc
  .array(
    fc.constantFrom(
      ...spokenParts,
      ...['customers', 'the new office', 'because', 'costs', '4,200', 'euros'],
      ...['Thursday', 'und', 'Preis', 'needs', 'is', '🙂'],
    ),
    { minLength: 1, maxLength: 40 },
  )
  .map((parts) => parts.join(' '))
const text = fc.oneof(words, words, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 150 })).filter(isKept)
const speaker = fc
  .oneof(
    fc.constantFrom('Ann', 'Ben', 'Dr. C. D. Efg', '李雷', 'user_1'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
  )
  .filter(isKept)
const transcripts = fc.array(
  fc.record({ speaker, text, timestamp: fc.constantFrom('00:00:01', '01:02:03', '99:59:59') }),
  {
    maxLength: 25,
  },
)

function assertText({ mode, summary }: { mode: string; summary: string }) {
  const counts = mode === 'short' ? countSentences(summary) : countWords(summary)
  const [min, max] = mode === 'short' ? [4, 6] : [400, 700]
  assert.ok(
    counts.every((it) => it >= min && it <= max),
    `${counts}: ${summary}`,
  )
  assert.doesNotMatch(summary, /<[a-z/!]|https?:|www\.|evil\.|javascript:|\]\(|\*\*|```|pwned/i)
}

/** Whatever stands in a summary, these hold. */
async function assertForm({ calls, user }: Side, transcript: TestEntry[]): Promise<void> {
  const meeting = await calls.create(user, { transcript })
  for (const mode of ['short', 'detailed']) {
    const { status, body } = await calls.call(user, 'GET', `/${meeting.id}/summary?mode=${mode}`)
    assert.equal(status, 200, JSON.stringify(body))
    assertText(body)
    for (const { sentence, entries, basis } of body.citations) {
      assert.ok(body.summary.includes(sentence), sentence)
      assert.ok(entries.length > 0 || (transcript.length === 0 && basis === 'record'), `no citation: ${sentence}`)
      for (const seq of entries) assert.ok(seq >= 1 && seq <= transcript.length)
    }
    const speakers = body.contributions.map((it: { speaker: string }) => it.speaker)
    assert.deepEqual(new Set(speakers), new Set(transcript.map((it) => oneLine(it.speaker))))
  }
}

// Each is two summaries through the whole service; more of them are tried without it, below.
const runs = Number(process.env.SUMMARY_RUNS ?? 8)

test('length, citations and speakers are right for any transcript with the local engine', async () => {
  await fc.assert(
    fc.asyncProperty(transcripts, async (transcript) => void (await assertForm(local, transcript))),
    { numRuns: runs, interruptAfterTimeLimit: 40_000 },
  )
})

/** Partly what the transcript bears out, partly anything. */
const whims = fc.record({
  lead: fc.constantFrom('', '', 'PWNED: ', '<b>', 'See https://evil.example/x. ', 'On 31 May 2031, '),
  shift: fc.constantFrom(0, 0, 0, 1, -1, 1000),
  noise: fc.string({ unit: 'grapheme', maxLength: 80 }),
})
type Whims = { lead: string; shift: number; noise: string }

function draftOf(entries: { n: number; speaker: string; text: string }[], { lead, shift, noise }: Whims): object {
  const items = entries.map(({ n, speaker: who, text: said }, i) => ({
    speaker: who,
    text: `${i % 3 === 0 ? lead : ''}${who} said that ${said}`,
    entries: [n + shift],
  }))
  return {
    topics: items.map((it) => it.text),
    sentences: [...items, { text: noise, entries: [1] }],
    contributions: items,
    decisions: items.slice(0, 3),
    actionItems: items.slice(0, 4).map((it) => ({ ...it, owner: it.speaker, due: noise })),
    questions: items,
  }
}

test('they are right for any transcript and any answer of a model', async () => {
  await fc.assert(
    fc.asyncProperty(transcripts, whims, async (transcript, whim) => {
      server.behave((reply, request) => {
        const lines = request.prompt.split('\n').filter((line) => line.startsWith('{"n"'))
        const draft = draftOf(
          lines.map((line) => JSON.parse(line)),
          whim,
        )
        return completes(draft)(reply, request)
      })
      await assertForm(model, transcript)
    }),
    { numRuns: runs, interruptAfterTimeLimit: 40_000 },
  )
})

test('they are right for summaries made of drafts, and drafts are used', () => {
  const engines = new Set<string>()
  fc.assert(
    fc.property(transcripts, whims, fc.constantFrom(...personalities), (transcript, whim, personality) => {
      const draft = readDraft(
        JSON.stringify(
          draftOf(
            transcript.map((it, i) => ({ ...it, n: i + 1 })),
            whim,
          ),
        ),
      )
      assert.ok(draft)
      for (const mode of ['short', 'detailed'] as const) {
        const written = summaryFromDraft(draft, { title: 'Any', transcript, mode, personality })
        assertText({ mode, summary: written.text })
        for (const { text: sentence, citations, basis } of written.sentences) {
          assert.ok(written.text.includes(sentence), sentence)
          assert.ok(citations.length > 0 || (transcript.length === 0 && basis === 'record'), `no citation: ${sentence}`)
          for (const entry of citations) assert.ok(transcript[entry], sentence)
        }
        engines.add(`${mode} ${written.engine}`)
      }
    }),
    { numRuns: Number(process.env.SUMMARY_RUNS ?? 80), interruptAfterTimeLimit: 40_000 },
  )
  assert.deepEqual([...engines].sort(), ['detailed llm', 'detailed local', 'short llm', 'short local'])
})
