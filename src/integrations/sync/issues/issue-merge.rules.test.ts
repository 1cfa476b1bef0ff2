import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { githubTracker } from '../../../providers/trackers/github-tracker.ts'
import { jiraTracker } from '../../../providers/trackers/jira-tracker.ts'
import { linearTracker } from '../../../providers/trackers/linear-tracker.ts'
import type { Correspondence, SharedState } from '../../../providers/trackers/tracker.ts'
import { afterWriting, type CommonState, mergeIssue, sharedFields } from './issue-merge.rules.ts'

const people = new Map([
  ['ada', 'tracker-ada'],
  ['ben', 'tracker-ben'],
])
const users = new Map([...people].map(([user, person]) => [person, user]))

/** The tracker, with two people that both sides know. */
function withPeople(tracker: Correspondence): Correspondence {
  const toTheirs: Correspondence['toTheirs'] = (field, value) =>
    field === 'assigneeId' ? (people.get(value ?? '') ?? null) : tracker.toTheirs(field, value)
  return {
    ...tracker,
    toTheirs,
    toOurs: (field, value) =>
      field === 'assigneeId' ? (users.get(value ?? '') ?? null) : tracker.toOurs(field, value),
    agrees: (field, ours, theirs) =>
      field === 'assigneeId' ? toTheirs(field, ours) === theirs : tracker.agrees(field, ours, theirs),
  }
}

const title = fc.constantFrom('Ship', 'Test', 'Write', 'x'.repeat(400))
const due = fc.constantFrom(null, '2026-12-01', '2026-12-02')
const ourState: fc.Arbitrary<SharedState> = fc.record({
  title,
  status: fc.constantFrom('open', 'in_progress', 'done', 'dismissed'),
  assigneeId: fc.constantFrom(null, 'ada', 'ben', 'somebody else'),
  due,
})
const stateOf = (statuses: string[]): fc.Arbitrary<SharedState> =>
  fc.record({
    title: title.map((text) => text.slice(0, 250)),
    status: fc.constantFrom(...statuses),
    assigneeId: fc.constantFrom(null, 'tracker-ada', 'tracker-ben', 'a stranger'),
    due,
  })

const trackers = [
  { name: 'github', tracker: withPeople(githubTracker), statuses: ['open', 'done', 'dismissed'] },
  { name: 'linear', tracker: withPeople(linearTracker), statuses: ['open', 'in_progress', 'done', 'dismissed'] },
  { name: 'jira', tracker: withPeople(jiraTracker), statuses: ['open', 'in_progress', 'done', 'dismissed'] },
]

describe('a merge of a task and its issue', () => {
  for (const { name, tracker, statuses } of trackers) {
    const sides = fc.record({ common: commonOf(tracker), ours: ourState, theirs: stateOf(statuses) })
    const merged = ({ common, ours, theirs }: { common: CommonState; ours: SharedState; theirs: SharedState }) => {
      const merge = mergeIssue({ common, ours, theirs }, tracker)
      const after = { ours: { ...ours, ...merge.ours }, theirs: { ...theirs, ...merge.theirs } }
      const { common: settled } = afterWriting(
        { common: merge.common, ours: after.ours, written: merge.theirs, before: theirs, after: after.theirs },
        tracker,
      )
      return { merge, after, settled }
    }

    test(`${name}: both sides are equal afterwards, and a further merge has nothing to do`, () => {
      fc.assert(
        fc.property(sides, (given) => {
          const { after, settled } = merged(given)
          for (const field of tracker.fields) {
            const isStranger = field === 'assigneeId' && after.theirs[field] === 'a stranger'
            const isEqual = tracker.agrees(field, after.ours[field], after.theirs[field])
            assert.ok(isEqual || (isStranger && after.ours[field] === null), field)
          }
          const again = mergeIssue({ common: settled, ...after }, tracker)
          assert.deepEqual([again.ours, again.theirs, again.conflicts], [{}, {}, []])
        }),
      )
    })

    test(`${name}: what one side changed stays, and what both changed is shown`, () => {
      fc.assert(
        fc.property(sides, (given) => {
          const { common, ours, theirs } = given
          const { merge, after } = merged(given)
          for (const field of sharedFields) {
            const [isOurs, isTheirs] = [ours[field] !== common.ours[field], theirs[field] !== common.theirs[field]]
            const conflict = merge.conflicts.find((it) => it.field === field)
            if (!tracker.fields.includes(field)) {
              assert.ok(!(field in merge.ours) && !(field in merge.theirs) && conflict === undefined)
              continue
            }
            const isConflict = isOurs && isTheirs && !tracker.agrees(field, ours[field], theirs[field])
            assert.deepEqual(
              conflict,
              isConflict ? { field, ours: ours[field], theirs: theirs[field] } : undefined,
              'a conflict is shown, and nothing else is',
            )
            // The tracker's value is never overwritten once it was changed there.
            if (isTheirs) assert.equal(after.theirs[field], theirs[field])
            if (!isTheirs) assert.equal(after.ours[field], ours[field])
            if (!isOurs && !isTheirs) assert.ok(!(field in merge.ours) && !(field in merge.theirs))
          }
        }),
      )
    })

    test(`${name}: what the tracker refuses is shown, and not written again`, () => {
      fc.assert(
        fc.property(sides, (given) => {
          const { common, ours, theirs } = given
          const merge = mergeIssue({ common, ours, theirs }, tracker)
          const taken = { ...ours, ...merge.ours }
          const refused = afterWriting(
            { common: merge.common, ours: taken, written: merge.theirs, before: theirs, after: theirs },
            tracker,
          )
          const shown = [...merge.conflicts, ...refused.conflicts].map(({ field }) => field)
          for (const field of Object.keys(merge.theirs)) assert.ok(shown.includes(field as never), field)
          const again = mergeIssue({ common: refused.common, ours: { ...taken, ...refused.ours }, theirs }, tracker)
          assert.deepEqual([again.ours, again.theirs, again.conflicts], [{}, {}, []])
        }),
      )
    })
  }
})

/** A task as it was, and the issue that was equal to it. */
function commonOf({ toTheirs }: Correspondence): fc.Arbitrary<CommonState> {
  return ourState.map((ours) => {
    const theirs = Object.fromEntries(sharedFields.map((field) => [field, toTheirs(field, ours[field])]))
    return { ours, theirs: theirs as SharedState }
  })
}
