import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { mimeTypes } from '../../../src/extraction/document-type.ts'
import { type Answer, ask } from '../../harness/client.ts'
import { generatedText } from '../../harness/generated-text.ts'
import { formOf } from '../../harness/media.ts'
import type { Service } from '../../harness/service.ts'
import type { Row } from '../row.ts'
import { type TrialFile, trialFiles } from '../trial-files.ts'
import { type Ground, onBothDatabases, type Person, person, startTrialService } from './trial-service.ts'

const filesMax = 2000
const uploadsAtOnce = 4
/** A caller who waits so long between two requests, as people do, is not the load itself. */
const pauseMs = 10
const requestsBefore = 600
const ownDocuments = 200
/** What other requests may take meanwhile, in ms, or twice of what they took before. */
const othersMsMax = 100
/** From its turn on until it is ready or has failed: three tries, and storing its text. */
const readingMsMax = 200_000

type Probe = { name: string; send(): Promise<Answer> }

/** One tenant uploads hostile and damaged files as fast as it can, while another one works: on the embedded database and on PostgreSQL. */
export async function besideHostileFiles(count: number): Promise<Row[]> {
  const files = [...trialFiles(Math.min(count, filesMax))]
  return onBothDatabases((ground) => beside(files, ground))
}

async function beside(files: TrialFile[], { database, environment }: Ground): Promise<Row[]> {
  const { service, admin } = await startTrialService(environment)
  try {
    const probes = await otherTenant(service, admin)
    const attacker = await person(service, admin)
    await timesOf(probes, ({ length }) => length >= requestsBefore)
    const before = await timesOf(probes, ({ length }) => length >= requestsBefore)
    let isDone = false
    const reading = readAll(files, attacker).finally(() => {
      isDone = true
    })
    const [meanwhile, { outcomes, longestMs }] = await Promise.all([timesOf(probes, () => isDone), reading])
    const rows = probes.map(({ name }) => comparison(name, { before, meanwhile }))
    const { unended, ...counts } = outcomes
    return [
      ...rows.map((row) => ({ database, ...row })),
      {
        database,
        ...counts,
        'longest reading s': Math.round(longestMs / 1000),
        broken: [unended > 0 && `${unended} never ended`, longestMs > readingMsMax && 'a reading took too long']
          .filter(Boolean)
          .join(', '),
      },
    ]
  } finally {
    await service.stop('SIGKILL')
  }
}

/** What somebody else does, with documents of their own. */
async function otherTenant(service: Service, admin: Record<string, string>): Promise<Probe[]> {
  const { post: url, headers, org, validate } = await person(service, admin)
  const text = generatedText(9)
  for (let index = 0; index < ownDocuments; index++) {
    const body = { title: `Paper ${index}`, text: Array.from({ length: 40 }, text.sentence).join(' ') }
    assert.equal((await ask({ url, method: 'POST', headers, body })).status, 202)
  }
  await ended(url, headers)
  const { body } = await ask({ url: `${url}?limit=1`, headers })
  const own = `${url}/${body.documents[0].id}`
  return [
    { name: 'validate a license', send: validate },
    { name: 'list documents', send: () => ask({ url: `${url}?limit=100`, headers }) },
    { name: 'search', send: () => ask({ url: `${org}/search?q=${encodeURIComponent(text.words(3))}`, headers }) },
    {
      name: 'change a title',
      send: () => ask({ url: own, method: 'PATCH', headers, body: { title: text.sentence() } }),
    },
  ]
}

type Times = { name: string; tookMs: number }[]

/** One request after another, of each kind in turn. */
async function timesOf(probes: Probe[], isOver: (times: Times) => boolean): Promise<Times> {
  const times: Times = []
  while (!isOver(times)) {
    for (const { name, send } of probes) {
      const { status, tookMs, body } = await send()
      assert.equal(status, 200, `${name}: ${status} ${JSON.stringify(body)}`)
      times.push({ name, tookMs })
      await delay(pauseMs)
    }
  }
  return times
}

async function readAll(files: TrialFile[], { post: url, headers }: Person) {
  const outcomes = { files: files.length, refused: 0, ready: 0, failed: 0, unended: 0 }
  const waiting = files.values()
  const upload = async () => {
    for (const { name, type, bytes } of waiting) {
      const form = await formOf([{ bytes: Buffer.from(bytes), name: `file.${type}`, type: mimeTypes[type] }], {
        title: name.slice(0, 100),
      })
      const { status, body } = await ask({
        url,
        method: 'POST',
        headers: { ...headers, ...form.headers },
        bytes: form.body,
      })
      if (status === 413 || status === 415 || status === 400) outcomes.refused++
      else assert.ok(status === 202 || status === 200, `${name}: ${status} ${JSON.stringify(body)}`)
    }
  }
  const uploading = Promise.all(Array.from({ length: uploadsAtOnce }, upload))
  const watch = watchReading(url, headers)
  await uploading
  await ended(url, headers)
  const longestMs = await watch.stop()
  for (const status of ['ready', 'failed'] as const) outcomes[status] = await countOf(status, { url, headers })
  outcomes.unended = (await countOf('queued', { url, headers })) + (await countOf('extracting', { url, headers }))
  return { outcomes, longestMs }
}

/** How long one document was being read, in all its tries, to half a second. */
function watchReading(url: string, headers: Record<string, string>) {
  const readingMs = new Map<string, number>()
  let isOver = false
  const watching = (async () => {
    let lookedAt = performance.now()
    while (!isOver) {
      const { body } = await ask({ url: `${url}?status=extracting`, headers })
      const now = performance.now()
      for (const { id } of body.documents ?? []) readingMs.set(id, (readingMs.get(id) ?? 0) + now - lookedAt)
      lookedAt = now
      await delay(500)
    }
  })()
  return {
    stop: async () => {
      isOver = true
      await watching
      return Math.max(0, ...readingMs.values())
    },
  }
}

async function ended(url: string, headers: Record<string, string>): Promise<void> {
  for (const status of ['queued', 'extracting'])
    while ((await ask({ url: `${url}?status=${status}&limit=1`, headers })).body.documents.length > 0) await delay(500)
}

async function countOf(
  status: string,
  { url, headers }: { url: string; headers: Record<string, string> },
): Promise<number> {
  const { body } = await ask({ url: `${url}?status=${status}&limit=1`, headers })
  return body.pagination.total as number
}

function comparison(name: string, { before, meanwhile }: { before: Times; meanwhile: Times }): Row {
  const of = (times: Times) => times.filter((time) => time.name === name).map(({ tookMs }) => tookMs)
  const [p95Before, p95] = [percentile95(of(before)), percentile95(of(meanwhile))]
  return {
    request: name,
    'p95 ms before': round(p95Before),
    'p95 ms meanwhile': round(p95),
    'slowest ms': round(Math.max(...of(meanwhile))),
    requests: of(meanwhile).length,
    broken: p95 > Math.max(2 * p95Before, othersMsMax) ? `${name} waited too long` : '',
  }
}

const round = (value: number) => Math.round(value * 10) / 10
const percentile95 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
