import { monitorEventLoopDelay } from 'node:perf_hooks'
import { many, sql } from '../../../src/storage/query.ts'
import { testApp } from '../../harness/app.ts'
import { documentCalls } from '../../harness/documents.ts'
import { generatedText } from '../../harness/generated-text.ts'
import { organizationCalls } from '../../harness/organizations.ts'
import { pdfFile, pdfLines } from '../../harness/pdf-file.ts'
import type { Row } from '../row.ts'

const documentCount = 1000
const pagesEach = 5
const linesEach = 40
const uploadsAtOnce = 4
const requestsBefore = 300
/** What other requests may take meanwhile, in ms, or twice of what they took before. */
const othersMsMax = 100

/** Reads and indexes PDF documents as fast as it can, while other requests come one after another. */
export async function indexing(): Promise<Row[]> {
  const app = await testApp()
  const tenant = await app.tenant()
  const organizations = organizationCalls(app)
  const owner = await organizations.person(await app.apiKey(tenant))
  const { id: orgId } = await organizations.create(owner)
  const documents = documentCalls(app, orgId)
  const text = generatedText(6)
  const line = () => `The ${text.words(9)}.`
  const page = () => pdfLines(Array.from({ length: linesEach }, line))
  const files = Array.from({ length: documentCount }, (_, index) => ({
    bytes: pdfFile(Array.from({ length: pagesEach }, page)),
    name: `paper-${index}.pdf`,
    type: 'application/pdf',
  }))
  const timed = async () => {
    const startedAt = performance.now()
    await documents.titles(owner)
    return performance.now() - startedAt
  }
  const before: number[] = []
  while (before.length < requestsBefore) before.push(await timed())

  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const startedAt = performance.now()
  let isDone = false
  const work = async () => {
    const waiting = files.entries()
    const upload = async () => {
      for (const [, file] of waiting) {
        const { status, body } = await documents.upload(owner, file)
        if (status !== 202) throw new Error(JSON.stringify(body))
      }
    }
    await Promise.all(Array.from({ length: uploadsAtOnce }, upload))
    await app.settled()
    isDone = true
  }
  const others = async () => {
    const times: number[] = []
    while (!isDone) times.push(await timed())
    return times
  }
  const [, meanwhile] = await Promise.all([work(), others()])
  const seconds = (performance.now() - startedAt) / 1000
  delay.disable()

  const states = await many(
    app.platform,
    sql<{ status: string; documents: number }>`select status, count(*)::int as documents from documents
      where tenant_id = ${tenant.id} group by status`,
  )
  await app.app.server.close()
  const ready = states.find(({ status }) => status === 'ready')?.documents ?? 0
  const [p95Before, p95] = [percentile95(before), percentile95(meanwhile)]
  const isSlow = p95 > Math.max(2 * p95Before, othersMsMax)
  return [
    {
      documents: documentCount,
      'documents/s': round(documentCount / seconds),
      'loop p99 ms': round(delay.percentile(99) / 1e6),
      'others p95 ms before': round(p95Before),
      'others p95 ms': round(p95),
      'others in all': meanwhile.length,
      broken: ready < documentCount ? `${ready} are ready` : isSlow ? 'others waited too long' : '',
    },
  ]
}

const round = (value: number) => Math.round(value * 10) / 10
const percentile95 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
