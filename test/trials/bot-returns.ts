import { botCalls, pageHosts } from '../harness/bots.ts'
import { connectAccount, integrationLab, integrationsBase } from '../harness/integrations.ts'
import type { Row } from './row.ts'

const minuteMs = 60_000
const dayMs = 24 * 3600_000

/** How a bot's visit ended, as a runner or a person ends it. */
const ends = ['stopped', 'removed', 'denied', 'served'] as const

/** Reads a calendar again and again, as a whole or with another time, after the bots of its events were there. */
export async function botReturns(syncs: number): Promise<Row[]> {
  const lab = await integrationLab({ meetingHosts: pageHosts })
  const { app, emulators } = lab
  const bots = botCalls(app)
  const google = (action: string, input: object) =>
    emulators.control('google', action, input as Record<string, unknown>)
  const { user } = await bots.tenantWithUser()
  const runner = await bots.runner(user)
  await bots.call(user, 'PUT', '/policies', { calendar: 'all' })
  const now = app.clock.now().getTime()
  const inMinutes = (minutes: number) => new Date(now + minutes * minuteMs).toISOString()
  for (const end of ends)
    google('createEvent', {
      ...{ id: end, title: end, link: `https://meet.test/room/${end}` },
      ...{ start: inMinutes(2), end: inMinutes(30) },
    })
  const { id } = await connectAccount(app.call, user, { provider: 'google', features: ['calendar'] })
  await app.settled()
  await bots.pass(90_000)
  for (const _ of ends) {
    const held = await runner.claim()
    const end = new URL(held.link).pathname.split('/').at(-1)
    await runner.status(held, 'waiting_room')
    if (end === 'denied') {
      await runner.status(held, 'ended', { reason: 'DENIED' })
      continue
    }
    await runner.status(held, 'in_meeting')
    if (end === 'stopped') await bots.call(user, 'POST', `/${held.bot.id}/leave`)
    const reason = end === 'removed' ? 'REMOVED' : 'MEETING_ENDED'
    await runner.status(held, 'ended', { reason })
  }
  let read = 0
  for (let sync = 0; sync < syncs; sync++) {
    if (sync % 2 === 0) google('expireSyncTokens', {})
    else
      for (const end of ends) {
        // Any time at which a bot would be ordered.
        const start = now + 60 * minuteMs + ((sync * 7 * minuteMs) % dayMs)
        google('editEvent', { id: end, start: new Date(start).toISOString(), end: new Date(start + 1).toISOString() })
      }
    const { body } = await app.call({
      method: 'POST',
      url: `${integrationsBase}/${id}/sync`,
      headers: user.headers,
    })
    if (body.result?.ok) read += 1
    await app.settled()
  }
  await bots.pass(2000)
  const { bots: all } = (await bots.call(user, 'GET', '?limit=100')).body
  await lab.close()
  return ends.map((end) => {
    const own = all.filter((bot: { occurrence: { room: string } }) => bot.occurrence.room.endsWith(end))
    const returns = own.length - 1
    const broken = [read === syncs ? '' : `${read} syncs`, returns === 0 ? '' : 'came again']
    const reason = own.at(-1)?.reason ?? 'none'
    return { end, reason, syncs: read, returns, broken: broken.filter((fault) => fault !== '').join(', ') }
  })
}
