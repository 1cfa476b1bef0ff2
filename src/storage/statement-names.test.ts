import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementNames } from './statement-names.ts'

test('a statement keeps its name and shares it with no other', () => {
  const names = statementNames(10)
  const first = names.nameFor('select $1')
  assert.notEqual(names.nameFor('select $1, $2'), first)
  assert.equal(names.nameFor('select $1'), first)
})

test('beyond the limit statements stay unnamed, and known ones keep their names', () => {
  const names = statementNames(2)
  const known = ['a', 'b'].map(names.nameFor)
  assert.equal(names.nameFor('c'), undefined)
  assert.deepEqual(['a', 'b'].map(names.nameFor), known)
  assert.equal(statementNames(0).nameFor('a'), undefined)
})

test('a renewed statement gets a name that was never used before', () => {
  const names = statementNames(2)
  const before = ['a', 'b'].map(names.nameFor)
  names.renew('a')
  assert.ok(!before.includes(names.nameFor('a')))
})
