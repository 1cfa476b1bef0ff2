import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type Folder, openFolder } from './folder.ts'
import { type Message, outbox, readMessages } from './outbox.ts'
import { Refused } from './service-client.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const entries = (seq: number, atWallMs = 0): Message => ({
  kind: 'entries',
  atWallMs,
  body: { botId: 'b', lease: 1, seq, entries: [] },
})

describe('the outbox of a bot', () => {
  let folder: Folder
  let answers: (() => void)[]
  let sent: number[]
  let lost: number
  let nowMs: number

  beforeEach(async () => {
    folder = await openFolder(await mkdtemp(join(tmpdir(), 'atrium-outbox-')))
    ;[answers, sent, lost, nowMs] = [[], [], 0, 0]
  })
  afterEach(() => rm(folder.path(''), { recursive: true }))

  const open = (waiting: Message[] = []) =>
    outbox(
      {
        folder,
        name: 'b.jsonl',
        log,
        service: {
          events: async () => undefined,
          entries: async ({ seq }) => {
            answers.shift()?.()
            sent.push(seq)
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
    assert.deepEqual(sent, [1, 2, 3])
    assert.equal(await folder.read('b.jsonl'), undefined)
    assert.equal(lost, 0)
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
    assert.deepEqual(sent, [1, 2])
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
