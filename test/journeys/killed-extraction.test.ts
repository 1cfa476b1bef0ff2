// A process that is killed while it reads documents, as by `kill -9`. `npm run trials -- killed-extraction` kills it often, and
// also on PostgreSQL, where the job of a killed process waits 40 s for its next try.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killWhileReading } from '../harness/killed-extraction.ts'

const skip = process.env['ATRIUM_TEST_DATABASE'] === 'postgres' && 'waits 40 s there: a trial does it'

test('every document that was accepted ends ready with its whole text, or failed, when the process is killed', {
  skip,
  timeout: 240_000,
}, async () => {
  const { ready, accepted } = await killWhileReading({ database: {}, kills: 1, documentsEach: 2 })
  assert.ok(ready >= accepted - 1, `${ready} of ${accepted} are ready`)
})
