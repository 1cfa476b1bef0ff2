import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ownerFinder } from './owner.rules.ts'

const member = (userId: string, name: string | null, email = `${userId}@example.com`) => ({ userId, name, email })
const ada = member('1', 'Ada Lovelace')
const grace = member('2', 'Grace Hopper')

describe('the owner of a task', () => {
  for (const [spoken, expected, people] of [
    ['Ada Lovelace', '1', {}],
    ['ada', '1', {}],
    ['Dr. Lovelace', '1', {}],
    ['Ada Lovelace (Brightline)', '1', {}],
    ['Ada', null, { members: [ada, member('3', 'Ada Byron')] }],
    ['Ada Byron', '3', { members: [ada, member('3', 'Ada Byron')] }],
    ['Ada', '3', { members: [ada, member('3', 'Ada')] }],
    ['Ada', null, { members: [member('1', 'Ada'), member('3', 'Ada')] }],
    // Somebody in the meeting who is no member may be meant as well.
    ['Ada', null, { participants: [{ name: 'Ada Byron', email: null }] }],
    ['Ada', '1', { participants: [{ name: 'Ada Lovelace', email: null }] }],
    ['Countess', '1', { participants: [{ name: 'Countess', email: '1@Example.com' }] }],
    ['Renee', '4', { members: [member('4', 'Renée Descartes')] }],
    ['Charles', null, {}],
    ['Speaker 2', null, {}],
    ['', null, { members: [member('1', null)] }],
  ] as const)
    test(`"${spoken}" is ${expected ?? 'nobody for certain'}: ${JSON.stringify(people)}`, () =>
      assert.equal(ownerFinder({ members: [ada, grace], participants: [], ...people } as never)(spoken), expected))

  test('is found by the whole name whenever nobody else has that name', () => {
    // No such name begins with a title.
    const name = fc.stringMatching(/^X[a-z]{1,8} Y[a-z]{1,8}$/)
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1 }), (names) => {
        const find = ownerFinder({ members: names.map((it, i) => member(String(i), it)), participants: [] })
        for (const [i, it] of names.entries()) assert.equal(find(it), String(i))
      }),
    )
  })
})
