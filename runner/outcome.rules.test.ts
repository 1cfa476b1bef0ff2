import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { outcomeOf, outcomeOfError } from './outcome.rules.ts'
import type { Stage } from './surfaces/surface.ts'

describe('what a page means', () => {
  const outcomes: [Stage, string | null][] = [
    ['prejoin', null],
    ['waiting', null],
    ['meeting', null],
    ['unknown', null],
    ['denied', 'ended DENIED'],
    ['removed', 'ended REMOVED'],
    ['ended', 'ended MEETING_ENDED'],
    ['captcha', 'failed BLOCKED'],
    ['sign-in', 'failed LOGIN_REQUIRED'],
    ['host-token', 'failed HOST_TOKEN_REQUIRED'],
    ['not-found', 'failed NOT_FOUND'],
  ]
  for (const [stage, expected] of outcomes)
    test(`${stage}: ${expected ?? 'the visit goes on'}`, () => {
      const outcome = outcomeOf(stage)
      assert.equal(outcome && `${outcome.status} ${outcome.reason}`, expected)
    })

  const errors: [string, string][] = [
    ['page.goto: net::ERR_NAME_NOT_RESOLVED at https://meet.example.com', 'NOT_FOUND'],
    ['The link leads to what is not a public address. See --allow-private', 'NOT_FOUND'],
    ['page.click: Target page, context or browser has been closed', 'RUNNER_LOST'],
    ['The page crashed', 'RUNNER_LOST'],
    ['locator.click: Timeout 5000ms exceeded.', 'PAGE_CHANGED'],
  ]
  for (const [message, reason] of errors)
    test(`an error “${message.slice(0, 40)}” is ${reason}`, () => {
      assert.deepEqual(outcomeOfError(message), { status: 'failed', reason })
    })
})
