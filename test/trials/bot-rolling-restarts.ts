import { setTimeout as delay } from 'node:timers/promises'
import { startBalancer } from '../harness/balancer.ts'
import { startBotRunner } from '../harness/bot-runner.ts'
import { botAccount, pageSettings } from '../harness/bot-service.ts'
import { browserPath } from '../harness/browser.ts'
import { startCluster } from '../harness/cluster.ts'
import { startPostgresServer } from '../harness/postgres-server.ts'
import { temporaryFolder } from '../harness/service.ts'
import { startMeetingServer } from '../meeting-page/server.ts'
import type { Row } from './row.ts'

const bots = 3
const patienceMs = 60_000

/** Nodes over PostgreSQL behind a balancer, each restarted once a round, under bots in their meetings. */
export async function botRollingRestarts(rounds: number): Promise<Row[]> {
  if (browserPath === undefined) throw new Error('No Chromium is installed')
  const [meetings, database] = await Promise.all([startMeetingServer(), startPostgresServer()])
  const environment = { DRAIN_SECONDS: '1', ...pageSettings(meetings.base) }
  const cluster = await startCluster({ nodes: 2, databaseUrl: database.url, environment })
  const balancer = await startBalancer(cluster.nodes)
  const account = await botAccount(balancer.base, cluster.admin)
  const { token } = await account.newRunner()
  const more = ['--slots', String(bots)]
  const runner = startBotRunner({ base: balancer.base, token, stateFolder: await temporaryFolder(), more })
  await runner.says('Ready for bots')
  const names = Array.from({ length: bots }, (_, index) => `roll-${index}`)
  const sent: { id: string; meetingId: string }[] = []
  for (const name of names)
    sent.push(await account.deploy({ meetingUrl: meetings.link(name), autoLeave: { aloneSeconds: 3600 } }))
  for (const { id } of sent) await account.untilBot(id, ({ consent }) => consent.postedAt !== null, patienceMs)

  let lines = 0
  let isOver = false
  const writing = (async () => {
    while (!isOver) {
      lines += 1
      for (const name of names) meetings.room(name).say('Ada', `line ${lines}`)
      await delay(500)
    }
  })()
  let unclean = 0
  for (let round = 0; round < rounds; round++)
    for (const node of cluster.nodes) {
      if ((await node.stop('SIGTERM')) !== 0) unclean += 1
      await node.start()
      await balancer.probe()
      await delay(2_000)
    }
  isOver = true
  await writing

  const rows: Row[] = []
  for (const { id, meetingId } of sent) {
    const startedAt = performance.now()
    let kept: string[] = []
    while (kept.length < lines && performance.now() - startedAt < patienceMs) kept = await account.transcript(meetingId)
    const { status, attempt, gaps } = await account.get(id)
    const isThere = status === 'in_meeting' && attempt === 1 && gaps.length === 0
    const expected = Array.from({ length: lines }, (_, index) => `Ada: line ${index + 1}`)
    const broken = [isThere ? '' : 'left', kept.join() === expected.join() ? '' : `${kept.length} of ${lines} lines`]
    rows.push({
      ...{ restarts: rounds * cluster.nodes.length, status, attempt, lines, kept: kept.length, unclean },
      broken: broken.filter((fault) => fault !== '').join(', '),
    })
  }
  await runner.end('SIGTERM')
  await balancer.close()
  await cluster.stop()
  await database.stop()
  await meetings.close()
  return rows
}
