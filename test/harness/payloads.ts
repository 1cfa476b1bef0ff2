import { readFileSync } from 'node:fs'

// Deliveries of each provider, written by hand from their documentation.

/** A JSON payload that a test can change. */
// biome-ignore lint/suspicious/noExplicitAny: parsed JSON that tests change
export function jsonPayload(name: string): any {
  return JSON.parse(readFileSync(new URL(`./payloads/${name}.json`, import.meta.url), 'utf8'))
}

/** A mail with two alternatives and an attachment, with CRLF line ends. */
export function mailBytes(messageId?: string): Buffer {
  const text = readFileSync(new URL('./payloads/mail.eml', import.meta.url), 'utf8').replace(/\r?\n/g, '\r\n')
  return Buffer.from(messageId === undefined ? text : text.replace(/^Message-ID: .*$/m, `Message-ID: ${messageId}`))
}

/** The notification of Amazon SES in an SNS message. Without `mail` the content is in a bucket. */
export function snsMail({ mail, encoding = 'BASE64' }: { mail?: Buffer; encoding?: string } = {}): Buffer {
  const message = jsonPayload('ses-received')
  message.receipt.action.encoding = encoding
  if (mail) message.content = mail.toString(encoding === 'BASE64' ? 'base64' : 'utf8')
  const envelope = {
    Type: 'Notification',
    MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
    TopicArn: 'arn:aws:sns:eu-west-1:123456789012:mail-in',
    Subject: 'Amazon SES Email Receipt Notification',
    Message: JSON.stringify(message),
    Timestamp: '2026-06-30T10:00:00.500Z',
    SignatureVersion: '2',
    Signature: 'none',
    SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0.pem',
  }
  return Buffer.from(JSON.stringify(envelope))
}

export const mailgunFields = {
  recipient: 'assistant@in.acme.test',
  sender: 'jane@example.com',
  subject: 'Minutes of Tuesday',
  from: 'Jane Doe <jane@example.com>',
  'Message-Id': '<20260630100000.1.ABCDEF@example.com>',
  'In-Reply-To': '<m.17.8f3a@in.acme.test>',
  References: '<m.16.77aa@in.acme.test> <m.17.8f3a@in.acme.test>',
  'message-headers': JSON.stringify([
    ['Received', 'by 198.51.100.4 with SMTP mgrt 1; Tue, 30 Jun 2026 10:00:00 +0000'],
    ['Message-Id', '<20260630100000.1.ABCDEF@example.com>'],
    ['From', 'Jane Doe <jane@example.com>'],
    ['X-Mailgun-Spf', 'Pass'],
  ]),
  'body-plain': 'Please send me the minutes.\r\n\r\nJane\r\n',
  'body-html': '<p>Please send me the minutes.</p>',
  'stripped-text': 'Please send me the minutes.',
  timestamp: '1782813600',
  token: 'c2f9a0a4a9f0a1f1d2e3',
  signature: 'none',
}

export const sendgridFields = {
  headers:
    'Received: by mx0031p1mdw1.sendgrid.net with SMTP id abc; Tue, 30 Jun 2026 10:00:00 +0000\nFrom: Jane Doe <jane@example.com>\nTo: assistant@in.acme.test\nSubject: Minutes of\n Tuesday\nMessage-ID: <CAF0@mail.example.com>\nIn-Reply-To: <m.17.8f3a@in.acme.test>\n',
  dkim: '{@example.com : pass}',
  to: 'assistant@in.acme.test',
  from: 'Jane Doe <jane@example.com>',
  sender_ip: '203.0.113.7',
  envelope: '{"to":["assistant@in.acme.test"],"from":"jane@example.com"}',
  subject: 'Minutes of Tuesday',
  charsets: '{"to":"UTF-8","subject":"UTF-8","from":"UTF-8","text":"iso-8859-1"}',
  SPF: 'pass',
  spam_score: '0.1',
  attachments: '1',
}

export type FormFile = { name: string; filename: string; bytes: Buffer }

/** A multipart form, optionally with a file. */
export function multipartForm(
  fields: Record<string, string | Buffer>,
  file?: FormFile,
): { body: Buffer; contentType: string } {
  const boundary = 'xYzZY'
  const parts: Uint8Array[] = Object.entries(fields).map(([name, value]) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]),
  )
  if (file)
    parts.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${file.name}"; filename="${file.filename}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
      ),
      file.bytes,
      Buffer.from('\r\n'),
    )
  return {
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  }
}
