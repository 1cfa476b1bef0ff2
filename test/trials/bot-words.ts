import { type SttServer, startSttServer } from '../emulators/stt-server.ts'
import { type BotPlatform, type ReportedBot, startBotPlatform } from '../harness/bot-platform.ts'
import { startBotRunner } from '../harness/bot-runner.ts'
import { browserPath } from '../harness/browser.ts'
import { temporaryFolder } from '../harness/service.ts'
import { startSpeakers } from '../harness/speakers.ts'
import { conversation, wordErrors } from '../harness/spoken-words.ts'
import { type MeetingServer, startMeetingServer } from '../meeting-page/server.ts'
import type { Row } from './row.ts'

const speakers = ['Ada', 'Ben', 'Cleo']
const wordsInLine = 8

/** Three people say so many words, all at the same time: what bots write down from captions, and from each one's own sound. */
export async function botWords(words: number): Promise<Row[]> {
  if (browserPath === undefined) throw new Error('No Chromium is installed')
  const [meetings, stt] = await Promise.all([startMeetingServer(), startSttServer()])
  const people = await startSpeakers(browserPath, meetings, 'words', speakers)
  const visits = await Promise.all([visit('captions', meetings), visit('tracks', meetings, stt)])
  const said = new Map(speakers.map((speaker) => [speaker, [] as string[]]))
  const startedAt = performance.now()
  await Promise.all(speakers.map((speaker, index) => speak(meetings, speaker, { words: words / 3, seed: index, said })))
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const rows: Row[] = []
  for (const { hears, platform, bot, runner } of visits) {
    platform.command(bot, { kind: 'leave', reason: 'USER_REQUEST' })
    await platform.until(() => bot.statuses.includes('ended'))
    rows.push({ hears, seconds, ...compare(bot, said, hears === 'captions' ? 0 : 0.01) })
    await runner.end('SIGTERM')
    await platform.stop()
  }
  await people.close()
  await Promise.all([meetings.close(), stt.close()])
  return rows
}

type Hears = 'captions' | 'tracks'

async function visit(hears: Hears, meetings: MeetingServer, stt?: SttServer) {
  const platform: BotPlatform = await startBotPlatform()
  const token = platform.state.enrollmentToken
  const environment: Record<string, string> = stt === undefined ? {} : { STT_BASE_URL: stt.baseUrl }
  const runner = startBotRunner({ base: platform.base, token, stateFolder: await temporaryFolder(), environment })
  const bot = platform.deploy(meetings.link('words'))
  await runner.says('Takes down what is said')
  return { hears, platform, runner, bot }
}

type Speech = { words: number; seed: number; said: Map<string, string[]> }

async function speak(meetings: MeetingServer, speaker: string, { words, seed, said }: Speech): Promise<void> {
  const talk = conversation({ speakers: [speaker], wordsInLine, seed })
  for (let spoken = 0; spoken < words; spoken += wordsInLine) {
    const [, text] = talk.next()
    await meetings.room('words').speak(speaker, text)
    said.get(speaker)?.push(...text.split(' '))
    // Whoever speaks breathes: the sound is cut at pauses.
    await new Promise((resolve) => setTimeout(resolve, 900))
  }
}

function compare(bot: ReportedBot, said: Map<string, string[]>, errorsMax: number) {
  const entries = [...bot.entries.values()].sort((a, b) => a.atMs - b.atMs)
  const notice = bot.events.find(({ type }) => type === 'notice')?.receivedAt ?? Number.POSITIVE_INFINITY
  let [words, wrong] = [0, 0]
  for (const [speaker, expected] of said) {
    const own = entries.filter((entry) => entry.speaker === speaker)
    const heard = own.flatMap(({ text }) => text.replace(/[.,]/g, '').trim().split(/\s+/))
    words += expected.length
    wrong += wordErrors(expected, heard)
  }
  const strangers = entries.filter(({ speaker }) => !said.has(speaker)).length
  const early = entries.filter(({ receivedAt }) => receivedAt < notice).length
  const broken = [
    wrong <= words * errorsMax ? '' : 'words',
    strangers === 0 ? '' : 'speakers',
    early === 0 ? '' : 'before the notice',
  ]
  return {
    ...{ words, wrong, strangers, early },
    right: `${(100 * (1 - wrong / words)).toFixed(2)} %`,
    broken: broken.filter((fault) => fault !== '').join(', '),
  }
}
