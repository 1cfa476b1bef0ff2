import { botCalls, pageHosts } from '../harness/bots.ts'
import { connectAccount, integrationLab, integrationsBase } from '../harness/integrations.ts'
import { organizationCalls } from '../harness/organizations.ts'
import type { Row } from './row.ts'

const hourMs = 3600_000
const deploys = 50
/** Two of Google, of two people. */
const calendars = [
  { provider: 'google' },
  { provider: 'google', consent: { account: '110248495921238986421' } },
  { provider: 'microsoft' },
] as const

/** A meeting of an organization stands in three calendars, which are read while 50 people send a bot to it: one comes. */
export async function botOneVisit(rounds: number): Promise<Row[]> {
  const lab = await integrationLab({ meetingHosts: pageHosts })
  const { app, emulators } = lab
  const bots = botCalls(app)
  const orgs = organizationCalls(app)
  const key = await app.apiKey(await app.tenant())
  const owner = await orgs.person(key)
  await bots.runner(owner)
  const orgId: string = (await orgs.create(owner)).id
  const members = [owner, await orgs.add(key, orgId, 'admin'), await orgs.add(key, orgId, 'admin')]
  await bots.call(owner, 'PUT', '/policies', { orgId, calendar: 'all' })
  const connected: { user: (typeof members)[number]; id: string }[] = []
  for (const [at, calendar] of calendars.entries()) {
    const user = members[at] ?? owner
    const { id } = await connectAccount(app.call, user, { ...calendar, features: ['calendar'], orgId })
    connected.push({ user, id })
  }
  await app.settled()
  const read = async () => {
    const replies = await Promise.all(
      connected.map(({ user, id }) =>
        app.call({ method: 'POST', url: `${integrationsBase}/${id}/sync`, headers: user.headers }),
      ),
    )
    await app.settled()
    return replies.filter(({ body }) => body.result?.ok).length
  }
  const total = { rounds, deploys: 0, calendarsRead: 0, meetings: 0, bots: 0, broken: '' }
  const broken: string[] = []
  for (let round = 0; round < rounds; round++) {
    const room = `visit-${round}`
    const link = `https://meet.test/room/${room}`
    const start = new Date(Math.ceil(app.clock.now().getTime() / hourMs + 1 + (round % 40)) * hourMs).toISOString()
    const end = new Date(Date.parse(start) + hourMs / 2).toISOString()
    for (const provider of ['google', 'microsoft'] as const)
      emulators.control(provider, 'createEvent', { id: room, title: room, start, end, link })
    const body = { meetingUrl: link, orgId, joinAt: start }
    // By turns before, while and after the calendars are read.
    const calendarsRead = round % 3 === 1 ? await read() : 0
    const [also, replies] = await Promise.all([
      round % 3 === 0 ? read() : 0,
      Promise.all(
        Array.from({ length: deploys }, (_, caller) =>
          bots.call(members[caller % members.length] ?? owner, 'POST', '', body),
        ),
      ),
    ])
    const last = round % 3 === 2 ? await read() : 0
    const taken = replies.filter(({ status }) => status === 200 || status === 202)
    const { body: listed } = await bots.call(owner, 'GET', `?orgId=${orgId}&limit=100`)
    const own = listed.bots.filter((bot: { occurrence: { room: string } }) => bot.occurrence.room.endsWith(`/${room}`))
    for (const { headers } of members) {
      const { body: own } = await app.call({ url: '/assistant/v1/meetings?limit=100', headers })
      total.meetings += own.meetings.filter(({ title }: { title: string }) => title === room).length
    }
    total.deploys += taken.length
    total.calendarsRead += calendarsRead + also + last
    total.bots += own.length
    if (own.length !== 1) broken.push(`${room}: ${own.length} bots`)
    if (taken.length !== deploys) broken.push(`${room}: ${replies.find(({ status }) => status > 202)?.body.code}`)
    for (const { id } of own) await bots.call(owner, 'DELETE', `/${id}`)
  }
  await lab.close()
  return [{ ...total, broken: broken.slice(0, 5).join(', ') }]
}
