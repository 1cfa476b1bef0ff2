import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  automaticMails,
  humanMails,
  kindsInstallation,
  type MailKind,
  outside,
  rawKind,
} from '../../../test/harness/mail-kinds.ts'
import { automaticCause } from '../../mime/automatic.ts'
import { readMail } from '../../mime/read-mail.ts'
import { readParts } from './parsed-mail.ts'

async function causeOf(kind: MailKind) {
  const mail = await readMail(rawKind(kind))
  const parts = readParts(mail, mail.from[0]?.address ?? '')
  return automaticCause({ ...mail, ...parts, ...outside(kind) }, kindsInstallation)
}

test('60 kinds of automatic mail are recognized as they come, and 60 kinds of mails of people are none', async () => {
  for (const kind of automaticMails) assert.notEqual(await causeOf(kind), null, kind.by)
  for (const kind of humanMails) assert.equal(await causeOf(kind), null, kind.by)
})
