import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noticeRepeater } from './attendance.rules.ts'
import type { MeetingPage, SpokenPiece } from './meeting-page.ts'
import { inMeeting } from './meeting-stay.ts'
import type { Claim } from './protocol.ts'
import { nothingSeen } from './surfaces/surface.ts'

/** A stay with a transcription service that answers when the test says so. */
async function listening() {
  const reported: string[] = []
  const answers: (() => void)[] = []
  let hear: (piece: SpokenPiece) => void = () => undefined
  const page: Pick<MeetingPage, 'say' | 'listen'> = {
    say: async () => true,
    listen: async (onPiece) => {
      hear = onPiece
    },
  }
  const stay = inMeeting({
    claim: { bot: { displayName: 'Atrium (notes)', consentMessage: 'Notes are taken.' } } as Claim,
    reports: { flush: () => undefined, event: () => undefined, entry: ({ text }) => void reported.push(text) },
    nowMs: () => 0,
    page: page as MeetingPage,
    notices: noticeRepeater(),
    admittedAtMs: 0,
    sight: () => nothingSeen,
    transcriber: {
      add: ({ samples }, onText) => void answers.push(() => onText(samples)),
      finished: async () => {
        for (const answer of answers.splice(0)) answer()
      },
    },
  })
  await stay.begin()
  return { stay, reported, say: (words: string) => hear({ speaker: 'Ada', samples: words, seconds: 1 }) }
}

test('what was said before leaving is written down', async () => {
  const { stay, reported, say } = await listening()
  say('To the end.')
  await stay.finish()
  assert.deepEqual(reported, ['To the end.'])
})

test('after a refusal nothing is written down, not even what is still being transcribed', async () => {
  const { stay, reported, say } = await listening()
  say('Before the refusal.')
  stay.stop()
  say('After it.')
  await stay.finish()
  assert.deepEqual(reported, [])
})
