import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { eventTypeNames, eventTypes } from './event-types/event-types.ts'
import { newSigningSecret, signedHeaders } from './signature.rules.ts'

const page = () => readFile(new URL('../../docs/webhooks-outbound.md', import.meta.url), 'utf8')

test('the documentation has every event with the members of its data, and no other', async () => {
  const rows = [...(await page()).matchAll(/^\| `([\w.]+)` \| (.+) \| (.+) \|$/gm)].map(([, type, when, data]) => ({
    type,
    when,
    data: data?.split(', '),
  }))
  const expected = eventTypeNames.map((type) => {
    const { description: when, data } = eventTypes[type]
    return { type, when, data: Object.keys(data).map((name) => `\`${name}\``) }
  })
  assert.deepEqual(rows, expected)
})

type Verify = (headers: Record<string, string>, body: string, secret: string, now?: number) => unknown

/** The example that receivers copy, as it stands in the documentation. */
async function documented(): Promise<Verify> {
  const text = await page()
  const examples = [...text.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code)
  const code =
    examples.find((code) => code.includes('export function verify(')) ?? assert.fail('The page has no example.')
  return (await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)).verify
}

const at = new Date('2026-11-21T12:00:00Z')
const body = '{"type":"license.issued"}'

describe("the documentation's example of a receiver", () => {
  test('takes what is signed with its secret, also during a rotation', async () => {
    const verify = await documented()
    const [old, young] = [newSigningSecret(), newSigningSecret()]
    const headers = signedHeaders({ id: 'one', at, body }, [young, old])
    for (const secret of [old, young]) assert.deepEqual(verify(headers, body, secret, at.getTime()), JSON.parse(body))
  })

  test('refuses what is changed, signed by another, old, or not signed', async () => {
    const verify = await documented()
    const secret = newSigningSecret()
    const headers = signedHeaders({ id: 'one', at, body }, [secret])
    const refused: Parameters<Verify>[] = [
      [headers, `${body} `, secret, at.getTime()],
      [{ ...headers, 'webhook-id': 'two' }, body, secret, at.getTime()],
      [headers, body, newSigningSecret(), at.getTime()],
      [headers, body, secret, at.getTime() + 301_000],
      [headers, body, secret, at.getTime() - 301_000],
      [{ ...headers, 'webhook-timestamp': 'soon' }, body, secret, at.getTime()],
      [{ ...headers, 'webhook-signature': 'v1,' }, body, secret, at.getTime()],
      [{}, body, secret, at.getTime()],
    ]
    for (const asked of refused) assert.throws(() => verify(...asked), /too old|not signed/)
  })
})
