import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Language } from '../language/language.ts'
import { questionTerms } from '../query/query-terms.ts'
import { rerank } from './rerank.ts'

const scores = (question: string, texts: string[], language: Language = 'en') => {
  const terms = questionTerms(question, [language]).map((term) => ({ ...term, chunkCount: 3 }))
  const chunks = texts.map((text) => ({ text, title: '', headings: [], language }))
  return rerank({ terms, chunkTotal: 100, averageLength: 10 }, chunks)
}

test('words that stand near to each other count more than the same words far apart', () => {
  const filler = 'and so on and so forth '.repeat(4)
  const [near = 0, apart = 0] = scores('printer budget', [`${filler} printer budget`, `printer ${filler} budget`])
  assert.ok(near > apart && apart > 0)
})

test('a compound counts for its parts, and a related word for another, but less than the word itself', () => {
  const [same = 0, compound = 0, other = 0] = scores(
    'Verteidigung',
    ['die Verteidigung', 'die Landesverteidigung', 'die Wiese'],
    'de',
  )
  assert.ok(same > compound && compound > 0)
  assert.equal(other, 0)
  const [navigate = 0, related = 0] = scores('navigate', ['they navigate', 'the navigator'])
  assert.ok(navigate >= related && related > 0)
})

test('the title and headings count', () => {
  const terms = questionTerms('budget', ['en']).map((term) => ({ ...term, chunkCount: 3 }))
  const chunk = { text: 'It rose.', title: '', headings: ['Budget'], language: 'en' as const }
  assert.ok((rerank({ terms, chunkTotal: 100, averageLength: 10 }, [chunk])[0] ?? 0) > 0)
})

test('what a speaker said counts again where the query names the speaker, by the whole name or a part of it', () => {
  const gain = (question: string, speaker: string, said = 'The budget is too low.') => {
    const name = `${speaker}: `
    const terms = questionTerms(question, ['en']).map((term) => ({ ...term, chunkCount: term.isCommon ? 90 : 3 }))
    const chunk = { text: `${name}${said}`, title: '', headings: [], language: 'en' as const }
    const spans = [{ start: name.length, end: chunk.text.length }]
    const [spoken = 0, written = 0] = rerank({ terms, chunkTotal: 100, averageLength: 10 }, [
      { ...chunk, spans },
      chunk,
    ])
    return spoken - written
  }
  const hajdu = 'Hon. Patty Hajdu (Minister of Health)'
  assert.ok(gain('What did Anna say about the budget?', 'Anna') > 0)
  assert.ok(gain('What budget does Patty Hajdu want?', hajdu) > 0)
  assert.ok(gain('What did Anna say about the budget?', 'Anna Meyer') > 0)
  assert.ok(gain('What did Meyer say about the budget?', 'Anna Meyer') > 0)
  assert.equal(gain('Which project has a budget?', 'Project Manager'), 0)
  assert.equal(gain('What did Ben say about the budget?', 'Anna'), 0)
  assert.equal(gain('What budget does the minister want?', hajdu), 0)
  assert.equal(gain('What did PhD D say about the budget?', 'PhD F'), 0)
  assert.equal(gain('What will the budget be?', 'Will'), 0)
  assert.equal(gain('What did Anna say about the budget?', 'Anna', 'Anna had lunch.'), 0)
})
