import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderLetter, type Sender } from './letter.rules.ts'

const bare: Sender = { name: 'Acme', displayName: null, emailFromName: null, supportEmail: null, customDomain: null }
const token = 'atrp_k3JmZQ7xW2nB8vLcT5yRfD0aHsGuE1pN6oKiX4bVjM9qAwS1tUz'
const letter = (sender: Partial<Sender> = {}, publicUrl: string | null = null) =>
  renderLetter({
    sender: { ...bare, ...sender },
    publicUrl,
    kind: 'RESET_PASSWORD',
    token,
    expiresAt: new Date('2026-11-21T10:30:59Z'),
  })

test('a mail names the tenant as its whitelabel configuration does', () => {
  const plain = letter()
  assert.deepEqual([plain.fromName, plain.subject, plain.replyTo], ['Acme', 'Reset your Acme password', null])
  const shown = letter({ displayName: 'Acme VPN', supportEmail: 'help@acme.example' })
  assert.deepEqual([shown.fromName, shown.subject], ['Acme VPN', 'Reset your Acme VPN password'])
  assert.equal(shown.replyTo, 'help@acme.example')
  assert.match(shown.text, /Questions\? Write to help@acme\.example\./)
  assert.equal(letter({ displayName: 'Acme VPN', emailFromName: 'Acme Support' }).fromName, 'Acme Support')
})

test('a mail links to the domain of the tenant or else to the public address, and without both it contains only a code', () => {
  const address = /https?:\/\/\S+/
  assert.equal(letter().text.match(address), null)
  assert.equal(
    letter({}, 'https://atrium.example/app/').text.match(address)?.[0],
    `https://atrium.example/app/reset-password?token=${token}`,
  )
  const own = letter({ customDomain: 'vpn.acme.example' }, 'https://atrium.example')
  assert.equal(own.text.match(address)?.[0], `https://vpn.acme.example/reset-password?token=${token}`)
  assert.ok(own.html.includes(`href="https://vpn.acme.example/reset-password?token=${token}"`))
  for (const { text, html } of [letter(), own]) {
    assert.ok(text.split('\n').includes(token))
    assert.ok(html.includes(`<code>${token}</code>`))
    assert.ok(text.includes('until 2026-11-21 10:30 UTC'))
  }
})

test('a name with line breaks adds no header, and a name with markup adds no element', () => {
  const { fromName, subject, html } = letter({ name: 'Acme\r\nBcc: all@example.com\u2028x <img src=x onerror="a()">' })
  for (const header of [fromName, subject]) assert.doesNotMatch(header, /[\r\n\u2028]/)
  assert.doesNotMatch(html, /<img/)
  assert.ok(html.includes('&lt;img src=x onerror=&quot;a()&quot;&gt;'))
})

test('a notice is its own text, without a code or a link, in the name of the tenant', () => {
  const paragraphs = ['160 of 200 <meetings> are used.', 'The month ends soon.']
  const { subject, text, html, unsubscribeUrl, fromName } = renderLetter({
    sender: { ...bare, supportEmail: 'help@acme.example' },
    publicUrl: 'https://atrium.example',
    kind: 'USAGE_THRESHOLD',
    token: '',
    notice: { subject: '80 % of the limit: meetings', paragraphs },
    expiresAt: new Date('2026-11-21T10:30:59Z'),
  })
  assert.deepEqual([fromName, subject, unsubscribeUrl], ['Acme', '80 % of the limit: meetings', null])
  assert.equal(text, `${paragraphs.join('\n\n')}\n\nQuestions? Write to help@acme.example.\n`)
  assert.ok(html.includes('160 of 200 &lt;meetings&gt; are used.'))
  assert.doesNotMatch(html, /<code>|<a /)
})
