import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { spokenIn } from '../../../test/meetings/written.ts'
import { summarize } from '../summarize.ts'
import { removeInitialDots, removeLetterDots } from './initials.ts'

describe('initials', () => {
  for (const [said, plain] of [
    ['I talked to J. P. Morgan.', 'I talked to J P Morgan.'],
    ['Send it to J. Brown, and to Mr K. Lee.', 'Send it to J Brown, and to Mr K Lee.'],
    ['George W. Bush and Dr A. B. Smith', 'George W Bush and Dr A B Smith'],
    ['J. Brown spoke.', 'J Brown spoke.'],
  ] as const)
    test(`end no sentence: ${said}`, () => assert.equal(removeInitialDots(said), plain))

  for (const said of [
    'We chose plan B. Revenue fell.',
    'We go with option A. Then we test.',
    'She and I. Tomorrow is fine.',
    'It is vitamin C. It helps.',
    'He got an A. Marks matter.',
    'Wir nehmen Anbieter B. Umsatz sank.',
  ])
    test(`are not seen here: ${said}`, () => assert.equal(removeInitialDots(said), said))
})

describe('letters with dots', () => {
  for (const [said, plain] of [
    ['at 5 p.m. and in the U.S. Senate', 'at 5 pm and in the US Senate'],
    ['We meet at 5 p.m. Then we go.', 'We meet at 5 pm. Then we go.'],
    ['some, e.g. We and They, z. B. Das', 'some, eg We and They, zB Das'],
  ] as const)
    test(`lose their dots except at the end of a sentence: ${said}`, () => assert.equal(removeLetterDots(said), plain))
})

describe('a summary', () => {
  const of = (title: string, lines: string) =>
    summarize({ title, transcript: spokenIn(lines), mode: 'short', personality: 'neutral' })

  test('shows the whole task and its due date, although a name has initials', () => {
    const { actionItems } = of('Sync', 'Ann: I will send the report to Mr. J. Brown by Monday at 5 p.m.')
    assert.deepEqual(
      actionItems.map(({ text, due }) => [text, due]),
      [['I will send the report to Mr J Brown by Monday at 5 pm', 'by Monday']],
    )
  })

  test("shows the meeting's title as it is written, and closes quotations where their words end", () => {
    const { text } = of('iPhone launch', 'Ann: The customer told the whole team "stop the release!" yesterday.')
    assert.match(text, /the meeting “iPhone launch”/)
    assert.doesNotMatch(text, / '(?: |”)/)
  })
})
