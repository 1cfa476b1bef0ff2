import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { ask } from '../../harness/client.ts'
import { generatedText } from '../../harness/generated-text.ts'
import type { Row } from '../row.ts'
import { type Ground, onBothDatabases, person, startTrialService } from './trial-service.ts'

const meetingCount = 50
/** With the words of an entry, an hour of talk. */
const entriesEach = 500
const entryWords = 16
const liveMsMax = 60_000
const endedMsMax = 10_000
const pollMs = 100

/** So many live meetings of an organization end at once: search finds while they last what was said a minute ago, and soon all. */
export async function endingMeetings(): Promise<Row[]> {
  return onBothDatabases(together)
}

async function together({ database, environment }: Ground): Promise<Row[]> {
  const { service, admin } = await startTrialService(environment)
  try {
    const { orgId, org, headers } = await person(service, admin)
    const url = `${service.base}/assistant/v1/meetings`
    const post = async (path: string, body: object) => {
      const { status, body: answer } = await ask({ url: url + path, method: 'POST', headers, body })
      assert.ok(status < 300, `${path}: ${status} ${JSON.stringify(answer)}`)
      return answer
    }
    const text = generatedText(10)
    const say = (id: string, texts: string[]) =>
      post(`/${id}/transcript`, { entries: texts.map((text) => ({ speaker: 'Ada', text, timestamp: '00:00:01' })) })
    const until = async (word: string) => {
      const startedAt = performance.now()
      for (;;) {
        const { body } = await ask({ url: `${org}/search?limit=50&q=${word}`, headers })
        const found = new Set(body.results?.map(({ meetingId }: { meetingId: string }) => meetingId))
        const tookMs = performance.now() - startedAt
        if (found.size === meetingCount || tookMs > 2 * liveMsMax) return tookMs
        await delay(pollMs)
      }
    }
    const ids: string[] = []
    for (let index = 0; index < meetingCount; index++) {
      const { id } = await post('', { title: `Meeting ${index}`, orgId })
      await post(`/${id}/start`, {})
      await say(
        id,
        Array.from({ length: entriesEach - 1 }, () => text.words(entryWords)),
      )
      ids.push(id)
    }
    await Promise.all(ids.map((id) => say(id, ['The giraffe is tall.'])))
    const liveMs = await until('giraffe')
    await Promise.all(ids.map((id) => say(id, ['The zeppelin departs.'])))
    await Promise.all(ids.map((id) => post(`/${id}/end`, {})))
    const endedMs = await until('zeppelin')
    return [
      {
        database,
        meetings: meetingCount,
        'words each': entriesEach * entryWords,
        'while live, s': seconds(liveMs),
        'after the end, s': seconds(endedMs),
        broken: [liveMs > liveMsMax && 'late while live', endedMs > endedMsMax && 'late after the end']
          .filter(Boolean)
          .join(', '),
      },
    ]
  } finally {
    await service.stop('SIGKILL')
  }
}

const seconds = (ms: number) => Math.round(ms / 100) / 10
