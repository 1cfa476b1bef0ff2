import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type Folder, openFolder } from './folder.ts'
import { type Message, outbox, readMessages } from './outbox.ts'
import { Refused } from './service-client.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const entries = (seq: number, atWallMs = 0, segmentId = `b:1:${seq}`): Message => ({
  kind: 'entries',
  atWallMs,
  body: {
    botId: 'b',
    lease: 1,
    seq,
    entries: [{ segmentId, speaker: 'Ada', text: `text ${seq}`, atMs: seq, isFinal: true }],
  },
})
const event = (seq: number): Message => ({
  kind: 'events',
  atWallMs: 0,
  body: { botId: 'b', lease: 1, events: [{ seq, atMs: 0, type: 'notice', delivered: true }] },
})

describe('the outbox of a bot', () => {
  let folder: Folder
  let answers: (() => void)[]
  let sent: number[]
  let words: string[]
  let lost: number
  let nowMs: number

  beforeEach(async () => {
    folder = await openFolder(await mkdtemp(join(tmpdir(), 'atrium-outbox-')))
    ;[answers, sent, words, lost, nowMs] = [[], [], [], 0, 0]
  })
  afterEach(() => rm(folder.path(''), { recursive: true }))

  const open = (waiting: Message[] = []) =>
    outbox(
      {
        folder,
        name: 'b.jsonl',
        log,
        service: {
          events: async ({ events }) => {
            sent.push(...events.map(({ seq }) => -seq))
          },
          entries: async ({ seq, entries }) => {
            answers.shift()?.()
            sent.push(seq)
            words.push(...entries.map(({ text }) => text))
          },
        },
        wallMs: () => nowMs,
        ageMsMax: 600_000,
        onLeaseLost: () => {
          lost += 1
        },
        retryMsMax: 1,
      },
      waiting,
    )
  const fails = (error: Error) => () => {
    throw error
  }

  test('keeps the order, tries again while the platform is away, and leaves nothing on disk', async () => {
    const away = [fails(new Refused(503, '')), fails(new TypeError('fetch failed')), fails(new Refused(429, ''))]
    answers = away
    const box = open()
    await Promise.all([box.add(entries(1)), box.add(entries(2)), box.add(entries(3))])
    await box.drained()
    assert.deepEqual([sent, words], [[3], ['text 1', 'text 2', 'text 3']])
    assert.equal(await folder.read('b.jsonl'), undefined)
    assert.equal(lost, 0)
  })

  test('what waits in a row goes together: of each segment the latest text, and no event is overtaken', async () => {
    const drafts = Array.from({ length: 500 }, (_, at) => entries(at + 1, 0, `b:1:${Math.floor(at / 10)}`))
    const box = open([...drafts, event(7), ...Array.from({ length: 201 }, (_, at) => entries(at + 501))])
    await box.drained()
    assert.deepEqual(sent, [500, -7, 700, 701])
    assert.deepEqual(words.slice(0, 2), ['text 10', 'text 20'])
    assert.equal(words.length, 50 + 201)
  })

  test('one report that is refused takes no other with it, though they went together', async () => {
    const refusal = fails(new Refused(422, 'VALIDATION_ERROR'))
    answers = [refusal, () => undefined, refusal]
    const box = open([entries(1), entries(2), entries(3)])
    await box.drained()
    assert.deepEqual(
      [sent, words],
      [
        [1, 3],
        ['text 1', 'text 3'],
      ],
    )
  })

  test('an unsent report survives the runner, but for a line that was cut off', async () => {
    nowMs = 5
    answers = Array.from({ length: 1_000 }, () => fails(new Refused(503, '')))
    const box = open()
    await box.add(entries(1, 5))
    await box.add(entries(2, 5))
    const text = (await folder.read('b.jsonl')) ?? ''
    await box.discard()
    assert.deepEqual(readMessages(`${text}{"kind":"ent`), [entries(1, 5), entries(2, 5)])
    answers = []
    const resumed = open(readMessages(text))
    await resumed.drained()
    assert.deepEqual([sent, words], [[2], ['text 1', 'text 2']])
  })

  test('a report of an older lease is dropped, and the visit ends', async () => {
    answers = [fails(new Refused(409, 'LEASE_LOST'))]
    const box = open()
    await box.add(entries(1))
    await box.drained()
    assert.deepEqual([sent, lost], [[], 1])
  })

  test('a report that the platform refuses for what it says holds up no other', async () => {
    answers = [fails(new Refused(422, 'VALIDATION_ERROR'))]
    const box = open()
    await box.add(entries(1))
    await box.add(entries(2))
    await box.drained()
    assert.deepEqual([sent, lost], [[2], 0])
  })

  test('words stay on disk for ten minutes at most', async () => {
    nowMs = 600_001
    const box = open()
    await box.add(entries(1, 0))
    await box.drained()
    assert.deepEqual(sent, [])
    assert.equal(await folder.read('b.jsonl'), undefined)
  })
})
