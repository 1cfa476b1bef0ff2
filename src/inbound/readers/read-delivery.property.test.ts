import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/harness/any-character.ts'
import {
  jsonPayload,
  mailBytes,
  mailgunFields,
  multipartForm,
  sendgridFields,
  snsMail,
} from '../../../test/harness/payloads.ts'
import { Unprocessable } from '../processing.ts'
import { type SchemeName, schemeNames } from '../scheme.ts'
import type { NormalizedDelivery } from './normalized-delivery.ts'
import { readDelivery } from './read-delivery.ts'

const eventTypes = ['issues', 'issue_comment', 'issues.opened', '', 'x']

/** The delivery is read, or fails with Unprocessable and nothing else. What is read can be stored. */
async function readable(
  scheme: SchemeName,
  sent: { body: Buffer; contentType: string; eventType?: string },
): Promise<void> {
  let form: NormalizedDelivery
  try {
    form = await readDelivery({ scheme, eventType: 'issues', ...sent })
  } catch (error) {
    assert.ok(error instanceof Unprocessable, `${scheme}: ${String(error)}`)
    return
  }
  const texts = JSON.stringify(form, (name, value) => {
    if (name === 'raw') return null
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be in it
    if (typeof value === 'string') assert.ok(value.isWellFormed() && !/[\u0000-\u0008\u007f\u202e]/.test(value), scheme)
    return value
  })
  assert.ok(texts.length < 700_000, scheme)
}

const samples: [SchemeName, unknown][] = [
  ...['created', 'updated', 'deleted'].map((what): [SchemeName, unknown] => [
    'jira-hmac',
    jsonPayload(`jira-issue-${what}`),
  ]),
  ['jira-jwt', jsonPayload('jira-comment-created')],
  ['linear', jsonPayload('linear-issue')],
  ['github', jsonPayload('github-issues')],
  ['slack', jsonPayload('slack-app-mention')],
  ['slack', jsonPayload('slack-message-im')],
  ['bot-framework', jsonPayload('teams-message')],
  ['graph', jsonPayload('graph-notification')],
  ['postmark', jsonPayload('postmark-inbound')],
]

/** Every place of a payload. */
function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, [...path, name]))]
}

function replaced(value: unknown, [name, ...rest]: string[], by: unknown): unknown {
  if (name === undefined) return by
  const copy: Record<string, unknown> = { ...(value as object) }
  copy[name] = replaced(copy[name], rest, by)
  return Array.isArray(value) ? Object.values(copy) : copy
}

describe('whatever is sent', () => {
  test('any JSON is read or cannot be processed', async () => {
    const run = fc.asyncProperty(
      fc.constantFrom(...schemeNames),
      fc.json({ maxDepth: 5 }),
      fc.constantFrom(...eventTypes),
      (scheme, json, eventType) =>
        readable(scheme, { body: Buffer.from(json), contentType: 'application/json', eventType }),
    )
    await fc.assert(run, { numRuns: 1000 })
  })

  test('anything in the place of anything in a real payload is read or cannot be processed', async () => {
    const run = fc.asyncProperty(
      fc.constantFrom(...samples),
      fc.nat(),
      fc.oneof(
        fc.jsonValue(),
        fc.string({ unit: anyCharacter, maxLength: 3000 }),
        fc.constantFrom('x'.repeat(50_000), 1e300, '__proto__'),
      ),
      async ([scheme, payload], place, by) => {
        const paths = pathsOf(payload)
        const body = Buffer.from(JSON.stringify(replaced(payload, paths[place % paths.length] ?? [], by)) ?? '')
        await readable(scheme, { body, contentType: 'application/json' })
      },
    )
    await fc.assert(run, { numRuns: 1500 })
  })

  test('any bytes, and mails and forms with any bytes changed or cut off, are read or cannot be processed', async () => {
    const forms: [SchemeName, { body: Buffer; contentType: string }][] = [
      ['sns', { body: snsMail({ mail: mailBytes() }), contentType: 'text/plain' }],
      ['mailgun', multipartForm(mailgunFields)],
      ['sendgrid', multipartForm({ ...sendgridFields, text: 'x' })],
      ['sendgrid', multipartForm({ ...sendgridFields, email: mailBytes() })],
    ]
    const run = fc.asyncProperty(
      fc.constantFrom(...forms),
      fc.uint8Array({ maxLength: 60 }),
      fc.nat(),
      fc.boolean(),
      async ([scheme, { body, contentType }], bytes, at, isCut) => {
        const place = at % body.length
        const changed = Buffer.concat([
          body.subarray(0, place),
          bytes,
          isCut ? Buffer.alloc(0) : body.subarray(place + bytes.length),
        ])
        await readable(scheme, { body: changed, contentType })
        await readable(scheme, { body: Buffer.from(bytes), contentType: at % 2 ? contentType : 'multipart/form-data' })
        if (scheme === 'sns')
          await readable(scheme, {
            body: snsMail({ mail: Buffer.concat([mailBytes().subarray(0, place), bytes]) }),
            contentType,
          })
      },
    )
    await fc.assert(run, { numRuns: 1500 })
  })
})
