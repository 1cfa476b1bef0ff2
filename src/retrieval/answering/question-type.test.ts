import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answersType, emphasizedWords, questionType } from './question-type.ts'

test('what a question asks for is known by its words in many languages', () => {
  const examples: [string, ReturnType<typeof questionType>][] = [
    ['How many desks are there?', 'number'],
    ['Wie viele Tische gibt es?', 'number'],
    ['Combien de bureaux y a-t-il ?', 'number'],
    ['有多少张桌子？', 'number'],
    ['When does it open?', 'date'],
    ['In welchem Jahr begann es?', 'date'],
    ['¿Cuándo empezó?', 'date'],
    ['Когда это началось?', 'date'],
    ['Who wrote it?', 'name'],
    ['Wo liegt es?', 'name'],
    ['谁写的？', 'name'],
    ['What is the plan?', null],
    ['Was so geplant, wo?', null],
  ]
  for (const [question, type] of examples) assert.equal(questionType(question), type, question)
})

test('a sentence fits a type with a number, a year or a name that the question does not have', () => {
  assert.equal(answersType('number', 'It has 45 desks.', 'How many desks?'), 1)
  assert.equal(answersType('number', 'It has twelve desks.', 'How many desks?'), 1)
  assert.equal(answersType('number', 'Room 3 has desks.', 'How many desks has room 3?'), 0)
  assert.equal(answersType('date', 'It opened in 1998.', 'When did it open?'), 1)
  assert.ok(answersType('date', 'It opened on 3 May.', 'When did it open?') < 1)
  assert.ok(answersType('name', 'It was written by Ada.', 'Who wrote it?') > 0)
  assert.equal(answersType('name', 'it was written by her', 'Who wrote it?'), 0)
  assert.equal(answersType(null, 'It has 45 desks.', 'What?'), 0)
})

test('names and numbers of a question are emphasized', () => {
  assert.deepEqual([...emphasizedWords('Which of the Graz offices opened in 1998?')].sort(), ['1998', 'graz'])
})
