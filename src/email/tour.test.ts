import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { testApp } from '../../test/harness/app.ts'
import { docBlock } from '../../test/harness/doc-blocks.ts'
import { hasDovecot, startDovecot } from '../../test/harness/dovecot.ts'
import { freePort } from '../../test/harness/free-port.ts'
import { startMailServer } from '../../test/harness/mail-server.ts'
import { meetingCalls, said } from '../../test/harness/meetings.ts'
import { organizationCalls } from '../../test/harness/organizations.ts'
import { testZone } from '../../test/harness/zone.ts'

const domain = 'mail.example.org'
const password = 'plum-kayak-73'
const isInstalled = hasDovecot && existsSync('/usr/bin/swaks') && existsSync('/usr/bin/curl')
const skip = isInstalled ? false : 'swaks, curl and dovecot-imapd are not installed'

test('the documented tour asks by SMTP, reads the answer by IMAP, and says stop', { skip }, async () => {
  const zone = testZone()
  zone.set('TXT', 'example.com', 'v=spf1 ip4:127.0.0.1 -all')
  zone.set('TXT', '_dmarc.example.com', 'v=DMARC1; p=reject')
  const dovecot = await startDovecot(password)
  const server = await startMailServer()
  const app = await testApp({
    email: { domain, smtpPort: await freePort(), resolve: zone.resolve },
    mail: { smtp: { url: server.url, from: 'no-reply@example.org' }, publicUrl: null },
  })
  const listener = (await app.app.listenForMail()) ?? assert.fail('nobody listens')
  const orgs = organizationCalls(app)
  const key = await app.apiKey(await app.tenant())
  const owner = await orgs.person(key)
  const orgId = (await orgs.create(owner)).id
  const member = await orgs.add(key, orgId, 'member')
  const replies = { replies: { mode: 'send' } }
  const { body } = await orgs.call(owner, 'PUT', `/email/config?orgId=${orgId}`, { body: replies })
  const transcript = [said('The venue opens at nine on Friday.')]
  await meetingCalls(app).create(owner, { title: 'Venue', orgId, visibility: 'org', transcript })
  app.clock.advance({ seconds: 120 })
  await app.settled()
  let handed = server.received.length
  const working = setInterval(async () => {
    await app.settled()
    // Counted before it waits: the next turn may begin meanwhile.
    while (handed < server.received.length) {
      const { to, raw } = server.received[handed++] ?? assert.fail()
      for (const account of to) await dovecot.deliver(account, raw)
    }
  }, 100)
  try {
    const env = {
      ...process.env,
      ...{ SMTP: `127.0.0.1:${listener.smtpPort}`, IMAP: `127.0.0.1:${dovecot.port}`, PASSWORD: password },
      ...{ ME: member.email, ADDRESS: body.config.address },
    }
    const script = `set -euo pipefail\n${docBlock('docs/email.md', 'sh', '## A tour')}`
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env, timeout: 60_000 })
    assert.match(stdout, /Subject: Re: Venue[\s\S]*The venue opens at nine on Friday\./)
    assert.match(stdout, /You will get no more mails from us/)
    assert.equal((await dovecot.mails(member.email)).length, 2)
  } finally {
    clearInterval(working)
    await Promise.all([listener.close(), server.close(), dovecot.close()])
  }
})
