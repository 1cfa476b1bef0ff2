import { setTimeout as delay } from 'node:timers/promises'
import { startBotRunner } from '../harness/bot-runner.ts'
import { startBotService } from '../harness/bot-service.ts'
import { browserPath } from '../harness/browser.ts'
import { temporaryFolder } from '../harness/service.ts'
import { converse, startSpeakers } from '../harness/speakers.ts'
import { conversation } from '../harness/spoken-words.ts'
import { startMeetingServer } from '../meeting-page/server.ts'
import type { Row } from './row.ts'

const speakers = ['Ada', 'Ben', 'Cleo']
const inMeetingMs = 5_000
const catchUpMs = 60_000

/** Kills the service under a bot, and starts it again after so many seconds, while three people talk without a pause. */
export async function botServiceAway(seconds: number): Promise<Row[]> {
  if (browserPath === undefined) throw new Error('No Chromium is installed')
  const meetings = await startMeetingServer()
  const service = await startBotService({ meetings: meetings.base })
  const { token } = await service.newRunner()
  const runner = startBotRunner({ base: service.base, token, stateFolder: await temporaryFolder() })
  await runner.says('Ready for bots')
  const people = await startSpeakers(browserPath, meetings, 'away', speakers)
  const { id, meetingId } = await service.deploy({ meetingUrl: meetings.link('away') })
  await runner.says('Takes down what is said')

  const said: string[] = []
  const talk = conversation({ speakers, wordsInLine: 5, seed: seconds })
  let isOver = false
  const talking = (async () => {
    while (!isOver) {
      const [speaker, text] = talk.next()
      await converse(meetings, 'away', [[speaker, text]])
      said.push(`${speaker}: ${text}`)
    }
  })()
  await delay(inMeetingMs)
  await service.stop('SIGKILL')
  const [killedAt, before] = [performance.now(), said.length]
  await delay(seconds * 1000)
  const during = said.length - before
  await service.start()
  const awaySeconds = Math.round((performance.now() - killedAt) / 1000)
  const startedAt = performance.now()
  await delay(inMeetingMs)
  isOver = true
  await talking
  let kept = await service.transcript(meetingId)
  // The last line may still be a draft.
  while (kept.join() !== said.join() && performance.now() - startedAt < catchUpMs) {
    await delay(250)
    kept = await service.transcript(meetingId)
  }
  const caughtUpMs = Math.round(performance.now() - startedAt)
  await service.leave(id)
  const { attempt, gaps } = await service.untilBot(id, ({ status }) => status === 'ended', catchUpMs)
  await people.close()
  await runner.end('SIGTERM')
  await service.stop('SIGTERM')
  await meetings.close()
  const lost = said.filter((line) => !kept.includes(line))
  const broken = [
    lost.length === 0 ? '' : `${lost.length} lost, such as ${lost[0]}`,
    kept.length === said.length ? '' : `${kept.length} entries`,
    kept.join() === said.join() ? '' : 'another order',
    attempt === 1 && gaps.length === 0 ? '' : 'left',
  ]
  return [
    {
      ...{ awaySeconds, 'lines in all': said.length, 'while away': during, lost: lost.length, caughtUpMs },
      broken: broken.filter((fault) => fault !== '').join(', '),
    },
  ]
}
