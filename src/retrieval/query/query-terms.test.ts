import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Language } from '../language/language.ts'
import { nearbySpellings } from './nearby-spellings.ts'
import { questionTerms, wordForms } from './query-terms.ts'

test('a question has each of its words once, with a form for each language, and common words last', () => {
  const terms = questionTerms('When did the houses of the city burn?', ['en', 'de'])
  assert.deepEqual(
    terms.map(({ word, isCommon }) => [word, isCommon]),
    [
      ['houses', false],
      ['city', false],
      ['burn', false],
      ['when', true],
      ['did', true],
      ['the', true],
      ['of', true],
    ],
  )
  assert.deepEqual(terms[0]?.forms, ['hous'])
  assert.deepEqual(questionTerms('running costs', ['en', 'de'])[0]?.forms, ['run', 'running'])
})

test('nearby spellings are all words one letter away, of words of four letters or more', () => {
  const near = nearbySpellings('Haus')
  for (const word of ['hau', 'haut', 'hauss', 'ahus', 'maus']) assert.ok(near.includes(word), word)
  assert.ok(!near.includes('haus'))
  assert.deepEqual(nearbySpellings('abc'), [])
  assert.deepEqual(nearbySpellings('F-16A'), [])
  assert.ok(nearbySpellings('x'.repeat(24)).length <= 2500)
  assert.ok(nearbySpellings('дома').includes('домах'))
})

test('a word is one index term in each language, without repetition', () => {
  assert.deepEqual(wordForms('Running', ['en', 'de', 'und']), ['run', 'running'])
  assert.deepEqual(wordForms('Running', []), ['running'])
})

test('of scripts without spaces, pairs with letters that only bind words are common', () => {
  const topics = (text: string, language: 'zh' | 'ja') =>
    questionTerms(text, [language]).flatMap(({ word, isCommon }) => (isCommon ? [] : [word]))
  assert.deepEqual(topics('会议是在什么时候？', 'zh'), ['会议', '时候'])
  assert.deepEqual(topics('会議はいつですか', 'ja'), ['会議', '議は'])
})

test('words that only frame a question are told from its subject, in the language of the question', () => {
  const framing = (question: string, languages: Language[]) =>
    questionTerms(question, languages).flatMap(({ word, isFraming }) => (isFraming ? [word] : []))
  const english = 'What did the group discuss about the opinions on the remote control?'
  assert.deepEqual(framing(english, ['en']), ['group', 'discuss', 'opinions'])
  const german = 'Was wurde in der Besprechung über die Fernbedienung gesagt und entschieden?'
  assert.deepEqual(framing(german, ['de', 'en']), ['besprechung', 'gesagt'])
})
