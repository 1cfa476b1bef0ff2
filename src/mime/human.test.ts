import assert from 'node:assert/strict'
import { test } from 'node:test'
import { humanMails, judgedKind, kindsInstallation } from '../../test/harness/mail-kinds.ts'
import { automaticCause } from './automatic.ts'

test('60 kinds of mails of people all count as such', () => {
  assert.equal(humanMails.length, 60)
  const missed = humanMails.flatMap((mail) => {
    const cause = automaticCause(judgedKind(mail), kindsInstallation)
    return cause === null ? [] : [`${mail.by}: ${cause}`]
  })
  assert.deepEqual(missed, [])
})
