import assert from 'node:assert/strict'
import { test } from 'node:test'
import { automaticMails, judgedKind, kindsInstallation } from '../../test/harness/mail-kinds.ts'
import { durationRatio } from '../../test/harness/text-growth.ts'
import { automaticCause, type MailToJudge } from './automatic.ts'

test('60 kinds of automatic mail are all recognized', () => {
  assert.equal(automaticMails.length, 60)
  const missed = automaticMails.filter((mail) => automaticCause(judgedKind(mail), kindsInstallation) === null)
  assert.deepEqual(
    missed.map(({ by }) => by),
    [],
  )
})

test('every header that proves a program suffices by itself', () => {
  const alone: [string, string][] = automaticMails.flatMap(({ headers = {} }) =>
    Object.entries(headers).filter(
      ([key]) => !/^(?:subject|in-reply-to|references|x-auto-response-suppress)$/i.test(key),
    ),
  )
  for (const [key, value] of alone)
    assert.notEqual(
      automaticCause(judgedKind({ by: key, headers: { [key]: value } }), kindsInstallation),
      null,
      `${key}: ${value}`,
    )
})

test('judging hostile headers takes no time that grows faster than they do', () => {
  const factor = 8
  const hostile = (size: number): MailToJudge => ({
    ...judgedKind({ by: 'nobody' }),
    subject: `auto${' '.repeat(12_500 * size)}`,
    headers: [
      ...Array.from({ length: 32 }, (_, i): [string, string] => [`x-${i}`, ' ,;"('.repeat(25 * size)]),
      ['in-reply-to', '<x@mail.atrium.example>'],
    ],
    contentTypes: Array.from({ length: 25 }, () => `text/calendar${' method'.repeat(60 * size)}`),
    senders: [`${'no-'.repeat(4_000 * size)}@example.com`],
  })
  const [long, short] = [hostile(factor), hostile(1)]
  assert.equal(automaticCause(long, kindsInstallation), null)
  // Linear growth is 8, quadratic growth 64.
  const ratioMax = 24
  const judge = (mail: MailToJudge) => () => automaticCause(mail, kindsInstallation)
  const ratio = durationRatio({ long: judge(long), short: judge(short) }, ratioMax)
  assert.ok(ratio <= ratioMax, `${ratio.toFixed(1)} times as long`)
})
