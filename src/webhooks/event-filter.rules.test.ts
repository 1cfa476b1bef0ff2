import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { filterProblem } from './event-filter.rules.ts'
import { eventTypeNames } from './event-types/event-types.ts'

/** The filters that the refusal names. */
function near(filter: string): string[] {
  const problem = filterProblem(filter, eventTypeNames) ?? assert.fail(`${filter} is accepted`)
  assert.match(problem, /GET \/v1\/webhooks\/event-types lists all\.$/)
  return [...problem.matchAll(/`([^`]+)`/g)].map(([, candidate = '']) => candidate)
}

describe('a filter that no event matches', () => {
  for (const [asked, meant] of [
    ['licence.issued', 'license.issued'],
    ['license.isued', 'license.issued'],
    ['License.Issued', 'license.issued'],
    ['license', 'license.*'],
    ['licence.*', 'license.*'],
    ['user.created', 'tenant.user.created'],
    ['users.*', 'tenant.user.*'],
    ['tenant.user', 'tenant.user.*'],
    ['device.registered', 'vault.device.registered'],
    ['meeting.summary.done', 'meeting.summary.ready'],
    ['meeting.transcript', 'meeting.transcript.*'],
  ] as const) {
    test(`${asked} is answered with ${meant}`, () => {
      assert.ok(near(asked).includes(meant), near(asked).join())
      assert.ok(near(asked).length <= 3)
    })
  }

  for (const asked of ['*', '.*', '', 'invoice.paid', '__proto__', 'x'.repeat(100), '\u0000'])
    test(`${JSON.stringify(asked)} is refused without a guess`, () => assert.deepEqual(near(asked), []))

  test('every event type and every prefix of one is accepted', () => {
    for (const filter of [...eventTypeNames, 'license.*', 'tenant.user.*', 'vault.*'])
      assert.equal(filterProblem(filter, eventTypeNames), null, filter)
  })
})
