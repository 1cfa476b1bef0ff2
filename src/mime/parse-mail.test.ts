import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MailTooComplex, mailLimits } from './mail-limits.ts'
import { parseMail } from './parse-mail.ts'

const { partsMax, depthMax, attachmentsMax, headersMax, headerBytesMax } = mailLimits
const mail = (headers: string[], body = 'Hello') =>
  Buffer.from(['From: ann@example.com', ...headers, '', body].join('\r\n'))
const repeated = (count: number, line: (n: number) => string) => Array.from({ length: count }, (_, n) => line(n))
const mixed = 'Content-Type: multipart/mixed; boundary=x'
const parts = (count: number, headers: string) =>
  mail([mixed], `${repeated(count, () => `--x\r\n${headers}\r\n\r\na`).join('\r\n')}\r\n--x--`)
const nested = (depth: number) =>
  mail(
    ['Content-Type: multipart/mixed; boundary=b0'],
    [
      ...repeated(depth, (n) => `--b${n}\r\nContent-Type: multipart/mixed; boundary=b${n + 1}\r\n`),
      `--b${depth}\r\n\r\na`,
      ...repeated(depth + 1, (n) => `--b${depth - n}--`),
    ].join('\r\n'),
  )
const attached = 'Content-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt'

describe('a mail is read up to its limits and not beyond', () => {
  for (const [cause, within, beyond] of [
    [
      'TOO_MANY_PARTS',
      parts(partsMax - 1, 'Content-Type: text/plain'),
      parts(partsMax + 1, 'Content-Type: text/plain'),
    ],
    ['TOO_DEEP', nested(depthMax - 1), nested(depthMax + 1)],
    ['TOO_MANY_ATTACHMENTS', parts(attachmentsMax, attached), parts(attachmentsMax + 1, attached)],
    [
      'HEADERS_TOO_LARGE',
      mail(repeated(headersMax - 1, (n) => `X-A: ${n}`)),
      mail(repeated(headersMax, (n) => `X-A: ${n}`)),
    ],
    [
      'HEADERS_TOO_LARGE',
      mail([`X-A: ${'a '.repeat(headerBytesMax / 2 - 100)}`]),
      mail([`X-A: ${'a '.repeat(headerBytesMax / 2)}`]),
    ],
  ] as const) {
    test(cause, async () => {
      assert.equal((await parseMail(within)).from[0]?.address, 'ann@example.com')
      const isCause = (error: unknown) => error instanceof MailTooComplex && error.cause === cause
      await assert.rejects(parseMail(beyond), isCause)
    })
  }
})
