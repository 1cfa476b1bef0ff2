import assert from 'node:assert/strict'
import { test } from 'node:test'
import { durationRatio } from '../../../test/harness/text-growth.ts'
import { questionOf } from './answer-text.rules.ts'

const ask = (replyText: string) => questionOf({ subject: 'Venue', replyText, opensThread: true })

test('the question of a mail is its sentences with a question mark, or all of it', () => {
  const cases: [text: string, question: string][] = [
    ['Hi Ana. When does it open? We are ten. And where?? Thanks!', 'When does it open?  And where?'],
    ['いつ開きますか？', 'いつ開きますか？'],
    ['One? Two? Three? Four?', 'One?  Two?  Three?'],
    ['Please', 'Venue Please'],
    ['Please tell me when the venue opens.', 'Please tell me when the venue opens.'],
    ['??? !', 'Venue ??? !'],
  ]
  for (const [text, question] of cases) assert.equal(ask(text), question, text)
  const long = ask(`${'word '.repeat(1000)}?`)
  assert.ok(long.length <= 1000 && long.endsWith('?'))
})

test('finding it takes time in proportion to the text', () => {
  const seen = (size: number) => () => ask('ab '.repeat(size / 3))
  // The bound of a sentence counts as well: a step for each of its letters at each letter would be 1000 times as long.
  const plain = (size: number) => () => 'ab '.repeat(size / 3).split(/(?<=[.!?？。])/)
  const ratio = durationRatio({ long: seen(200_000), short: plain(200_000) }, 60)
  assert.ok(ratio <= 60, `${ratio.toFixed(1)} times as long as one look at each letter`)
})
