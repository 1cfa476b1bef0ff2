import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEndReason, isFailReason, retryable } from '../reasons.rules.ts'
import { attendeeReason, attendeeReasons } from './attendee.reasons.ts'
import { recallReason, recallReasons } from './recall.reasons.ts'
import { vexaReason, vexaReasons } from './vexa.reasons.ts'

test('every word of a vendor is a reason of ours, or that it was asked to leave', () => {
  for (const table of [recallReasons, attendeeReasons, vexaReasons])
    for (const [word, reason] of Object.entries(table))
      assert.ok(reason === null || isEndReason(reason) || isFailReason(reason), word)
})

test('no bot that was refused, removed or served comes again, whatever the vendor calls it', () => {
  const served = [
    'bot_kicked_from_call',
    'bot_kicked_from_waiting_room',
    'timeout_exceeded_waiting_room',
    'meeting_full',
  ]
  for (const subCode of served) {
    const reason = recallReason({ subCode }, { isFatal: true, wasAdmitted: false }) ?? assert.fail(subCode)
    assert.deepEqual(retryable[reason], { before: false, after: false }, subCode)
  }
})

test('an unknown word is a fault before admission, and the end of the meeting after it', () => {
  for (const subCode of ['a_new_word', 'constructor', null]) {
    assert.equal(recallReason({ subCode }, { isFatal: true, wasAdmitted: true }), 'VENDOR_ERROR')
    assert.equal(recallReason({ subCode }, { isFatal: false, wasAdmitted: false }), 'VENDOR_ERROR')
    assert.equal(recallReason({ subCode }, { isFatal: false, wasAdmitted: true }), 'MEETING_ENDED')
  }
  assert.equal(vexaReason('constructor', { stage: null, wasAdmitted: true }), 'MEETING_ENDED')
  assert.equal(vexaReason(null, { stage: 'joining', wasAdmitted: false }), 'VENDOR_ERROR')
})

test('what Vexa calls completed was not, where the bot never got in', () => {
  assert.equal(vexaReason('left_alone', { stage: 'awaiting_admission', wasAdmitted: false }), 'NOT_ADMITTED')
  assert.equal(vexaReason('stopped', { stage: 'awaiting_admission', wasAdmitted: false }), null)
})

test('of Attendee the first event that ended a bot says why', () => {
  const event = (type: string, subType: string | null = null, isRemoval = false) => ({
    type,
    subType,
    at: null,
    isRemoval,
  })
  const cases: [ReturnType<typeof event>[], boolean, string | null][] = [
    [[event('leave_requested', 'user_requested'), event('meeting_ended')], true, null],
    [[event('leave_requested', 'auto_leave_silence'), event('left_meeting')], true, 'SILENCE'],
    [[event('meeting_ended', null, true)], true, 'REMOVED'],
    [[event('could_not_join_meeting', 'request_to_join_denied', true)], false, 'DENIED'],
    [[event('could_not_join_meeting', 'a_new_word')], false, 'VENDOR_ERROR'],
    [[event('meeting_ended')], true, 'MEETING_ENDED'],
    [[], true, 'MEETING_ENDED'],
    [[], false, 'VENDOR_ERROR'],
  ]
  for (const [events, wasAdmitted, reason] of cases)
    assert.equal(attendeeReason(events, wasAdmitted).reason, reason, JSON.stringify(events))
})
