import assert from 'node:assert/strict'
import { test } from 'node:test'
import { questionTerms } from '../query/query-terms.ts'
import { answerQuestion } from './answer-question.ts'
import type { Passage } from './passage.ts'

const passage = (text: string, rest: Partial<Passage> = {}): Passage => ({
  text,
  title: '',
  headings: [],
  language: 'en',
  score: 1,
  ...rest,
})

const ask = (question: string, passages: Passage[]) => {
  const terms = questionTerms(question, ['en']).map((term) => ({ ...term, chunkCount: term.isCommon ? 50 : 2 }))
  const answer = answerQuestion({ question, terms, statistics: { chunkTotal: 100, averageLength: 50 }, passages })
  const text = ({ passage, start, end }: { passage: number; start: number; end: number }) =>
    passages[passage]?.text.slice(start, end)
  return {
    borne: answer.borne,
    found: answer.found,
    quotes: answer.quotes.map(text),
    closest: answer.closest.map(text),
  }
}

const plans = passage('The office opens in May. The new printer stands on the third floor. Lunch is free on Fridays.')

test('a question is answered with one to three sentences, the best first', () => {
  const { found, quotes, closest } = ask('Where does the new printer stand?', [plans])
  assert.equal(found, true)
  assert.equal(quotes[0], 'The new printer stands on the third floor.')
  assert.ok(quotes.length <= 3)
  assert.deepEqual(closest, [])
})

test('what no passage tells is not answered, and the closest sentences are named', () => {
  const { found, quotes, closest } = ask('Which printer manufacturer went bankrupt in Norway?', [plans])
  assert.equal(found, false)
  assert.deepEqual(quotes, [])
  assert.deepEqual(closest[0], 'The new printer stands on the third floor.')
  assert.deepEqual(ask('Anything?', []), { borne: 0, found: false, quotes: [], closest: [] })
})

test('a quote of a transcript lies within the words of one entry', () => {
  const text = 'Ann: we move the launch\nBo: to the second of May then'
  const spans = [
    { start: 5, end: 23 },
    { start: 28, end: 53 },
  ]
  const { quotes } = ask('When is the launch in May?', [passage(text, { spans })])
  assert.ok(quotes.length > 0)
  for (const quote of quotes) assert.ok(['we move the launch', 'to the second of May then'].includes(quote ?? ''))
})

test('of sentences that are equal otherwise, the one with what the question asks for is first', () => {
  const opening = passage('The office opens soon. The office opens in 2027.')
  assert.equal(ask('When is the office opened?', [opening]).quotes[0], 'The office opens in 2027.')
  assert.equal(ask('Why is the office opened?', [opening]).quotes[0], 'The office opens soon.')
})

test('a name that no passage has weighs more against an answer than another word', () => {
  const named = ask('Which printer has Graz bought?', [plans]).borne
  assert.ok(named < ask('Which printer has graz bought?', [plans]).borne)
})

test('a question about what somebody said is answered with the words of that speaker', () => {
  const spoken = (...lines: string[]) => {
    const text = lines.join('\n')
    const spans = lines.map((line) => {
      const start = text.indexOf(line)
      return { start: start + line.indexOf(': ') + 2, end: start + line.length }
    })
    return passage(text, { spans })
  }
  const talk = spoken(
    'Anna: The budget is too low for two printers.',
    'Ben: The budget is fine.',
    'Anna: Let us have lunch.',
  )
  assert.equal(ask('What did Ben say about the budget?', [talk]).quotes[0], 'The budget is fine.')
  assert.equal(ask('What did Anna say about the budget?', [talk]).quotes[0], 'The budget is too low for two printers.')
  assert.equal(ask('What did Ben say about the printers?', [talk]).quotes[0], 'The budget is too low for two printers.')
  // What a person says is no answer to who or where the person is.
  assert.equal(
    ask('Who is Anna?', [spoken('Ben: Anna is the new head of finance.', 'Anna: I wonder who is paying.')]).quotes[0],
    'Anna is the new head of finance.',
  )
})

test('words that say what the question wants to know do not decide whether there is an answer', () => {
  const talk = passage('The budget is too low for two printers.')
  assert.equal(ask('What was said and decided about the budget?', [talk]).found, true)
  assert.equal(ask('What was said and decided about the elevator?', [talk]).found, false)
  // Unless it has no other words.
  assert.equal(ask('What was decided?', [talk]).found, false)
  assert.equal(ask('What was decided?', [passage('It was decided to wait.')]).found, true)
})

test('a sentence that says much less than the best one is no further quote', () => {
  const { quotes } = ask('Where does the new printer stand?', [
    plans,
    passage('Nobody likes the new chairs.', { score: 0.2 }),
  ])
  assert.deepEqual(quotes, ['The new printer stands on the third floor.'])
})
