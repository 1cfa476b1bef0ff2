import assert from 'node:assert/strict'
import type { MailListener } from '../../src/email/index.ts'
import { testApp } from './app.ts'
import { calendarZones, invitationFile } from './calendar-files.ts'
import { organizationCalls } from './organizations.ts'
import { mailSigner } from './signed-mail.ts'
import { smtpConversation } from './smtp-conversation.ts'
import { testZone } from './zone.ts'

/** An invitation that came by mail, as the service keeps it. */
export async function sealInvitation(): Promise<void> {
  const zone = testZone()
  const signed = mailSigner(zone)
  const app = await testApp({ email: { domain: 'mail.example.org', lmtpPort: 0, resolve: zone.resolve } })
  const orgs = organizationCalls(app)
  const owner = await orgs.person(await app.apiKey(await app.tenant()))
  const orgId = (await orgs.create(owner)).id
  const body = { commands: { invites: true } }
  const configured = await orgs.call(owner, 'PUT', `/email/config?orgId=${orgId}`, { body })
  const { address } = configured.body.config
  const listener = (await app.app.listenForMail()) as MailListener
  const [zoneOfTime] = calendarZones
  assert.ok(zoneOfTime)
  const [day] = new Date(app.clock.now().getTime() + 86_400_000).toISOString().replaceAll('-', '').split('T')
  const times = { start: `${day}T090000`, end: `${day}T100000` }
  const content = invitationFile({ by: 'apple', zone: zoneOfTime, uid: 'sealed', organizer: owner.email, ...times })
  const icalEvent = { method: 'REQUEST', filename: 'invite.ics', content }
  const message = await signed({ from: owner.email, to: address, icalEvent })
  const said = ['LHLO mta', `MAIL FROM:<${owner.email}>`, `RCPT TO:<${address}>`, 'DATA', message]
  for (const answer of await smtpConversation(listener.lmtpPort, said)) assert.match(answer, /^[23]/, answer)
  await app.settled()
  await listener.close()
}
