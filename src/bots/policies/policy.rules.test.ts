import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CalendarChoice, isWanted } from './policy.rules.ts'

const asked = (
  calendar: CalendarChoice,
  { response = 'open', isOrganizer = false }: { response?: 'accepted' | 'declined' | 'open'; isOrganizer?: boolean },
) => {
  const attendance = { isOrganizer, response, participants: 3 }
  return isWanted({ calendar, minimumParticipants: 0, excludeWords: [] }, { title: 'Planning', attendance })
}

test('a policy wants the meetings of its choice, and none that was declined', () => {
  const cases = [
    { isOrganizer: true, response: 'accepted' as const },
    { response: 'accepted' as const },
    { response: 'open' as const },
    { response: 'declined' as const },
  ]
  const wanted = (['none', 'mine', 'accepted', 'all'] as const).map((calendar) =>
    cases.map((one) => asked(calendar, one)),
  )
  assert.deepEqual(wanted, [
    [false, false, false, false],
    [true, false, false, false],
    [true, true, false, false],
    [true, true, true, false],
  ])
})

test('a policy wants no meeting with too few people, or with a word that is excluded', () => {
  const attendance = { isOrganizer: true, response: 'accepted' as const, participants: 2 }
  const isWantedWith = (title: string, excludeWords: string[], minimumParticipants = 0) =>
    isWanted({ calendar: 'all', minimumParticipants, excludeWords }, { title, attendance })
  assert.equal(isWantedWith('Planning', [], 2), true)
  assert.equal(isWantedWith('Planning', [], 3), false)
  assert.equal(isWantedWith('PRIVATE: planning', ['private']), false)
  assert.equal(isWantedWith('Privates Treffen', ['private']), true)
  assert.equal(isWantedWith('Start, art', ['art']), false)
  assert.equal(isWantedWith('Übung', ['übung']), false)
  assert.equal(isWantedWith('Planning', [' ']), true)
})
