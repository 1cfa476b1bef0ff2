import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { countAttendance, hearing, noticeRepeater } from './attendance.rules.ts'

const people = (...names: string[]) => names.map((name) => ({ name, isSpeaking: false }))
const speaking = (...names: string[]) => names.map((name) => ({ name, isSpeaking: true }))

describe('who is there', () => {
  test('other bots are counted apart from people', () => {
    const there = people('Ada', 'Abbott', 'Atrium (notes)', "Ben's Notetaker", 'Recorder', 'Sales Bot', 'Transcription')
    assert.deepEqual(countAttendance(there), { people: 2, bots: 5 })
  })

  test('who comes later is told, at most every five minutes; who was told is not told again', () => {
    const notices = noticeRepeater()
    notices.said(people('Ada'), 0)
    assert.equal(notices.isDue(people('Ada', 'Ben'), 1_000), false)
    // Ben has left again, but he was there.
    assert.equal(notices.isDue(people('Ada'), 300_000), true)
    notices.said(people('Ada'), 300_000)
    assert.equal(notices.isDue(people('Ada', 'Ben'), 900_000), false)
    assert.equal(notices.isDue(people('Ada', 'Cleo (notes)'), 900_000), false)
    assert.equal(notices.isDue(people('Ada', 'Cleo'), 900_000), true)
  })

  test('two people who talk for two minutes without an entry show that the bot is deaf, one person does not', () => {
    const hears = hearing()
    hears.entry(10_000)
    assert.equal(hears.isDeaf(speaking('Ada'), 140_000), false)
    assert.equal(hears.isDeaf(speaking('Ben'), 140_250), true)
    hears.entry(141_000)
    assert.equal(hears.isDeaf(speaking('Ada', 'Ben'), 260_999), false)
    assert.equal(hears.isDeaf(people('Ada', 'Ben'), 261_000), true)
  })
})
