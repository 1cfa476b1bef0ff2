import { type TestApp, type TestUser, testApp } from '../../harness/app.ts'
import { knowledgeCalls, paragraph } from '../../harness/knowledge.ts'
import { meetingCalls, said } from '../../harness/meetings.ts'
import { organizationCalls } from '../../harness/organizations.ts'
import { seededRandom } from '../../harness/seeded-random.ts'
import type { Row } from '../row.ts'

const readersMax = 6
const sourcesMax = 8
const askersAtOnce = 4

/** Something that is opened to a reader and closed again. */
type Source = { itemId: string; topic: string; set(reader: TestUser, isOpen: boolean): Promise<boolean> }

/**
 * Random shares, restrictions and removals beside questions: no quote may be of what the asker could not read when the answer
 * was sent. What counts as closed is what was closed before the question was sent and not opened until its answer came.
 */
export async function changes(count: number): Promise<Row[]> {
  const app = await testApp()
  const random = seededRandom(5)
  const { orgId, readers, sources } = await library(app)
  const { ask } = knowledgeCalls(app)
  const rights = rightsLog()
  const seen = { changes: 0, asks: 0, found: 0, leaks: 0 }
  let broken = ''

  const change = async () => {
    const source = random.oneOf(sources)
    const reader = random.oneOf(readers)
    const isOpen = random.fraction() < 0.5
    await rights.change({ source, reader, isOpen }, () => source.set(reader, isOpen))
    seen.changes += 1
  }
  const question = async () => {
    const reader = random.oneOf(readers)
    const source = random.oneOf(sources)
    const asked = rights.now()
    const answer = await ask(reader, orgId, `What is the password of the ${source.topic}?`)
    seen.asks += 1
    seen.found += answer.found ? 1 : 0
    const quoted = [...answer.citations, ...answer.closest.map(({ citation }: { citation: Cited }) => citation)]
    const leaked = quoted.find((it: Cited) => rights.wasClosed(reader, it.documentId ?? it.meetingId ?? '', asked))
    if (leaked === undefined) return
    seen.leaks += 1
    broken ||= `${leaked.quote} to a reader who could not read it`
  }
  const changing = one(async () => {
    while (seen.changes < count) await change()
  })
  const asking = Array.from({ length: askersAtOnce }, () =>
    one(async () => {
      while (seen.changes < count) await question()
    }),
  )
  await Promise.all([changing, ...asking])
  await app.app.server.close()
  return [{ ...seen, broken }]
}

type Cited = { documentId: string | null; meetingId: string | null; quote: string }
const one = (work: () => Promise<void>) => work()

/** When each reader could not read an item: since the answer to closing it, until the request that opens it. */
function rightsLog() {
  let tick = 0
  const closedSince = new Map<string, number>()
  const lastOpen = new Map<string, number>()
  const keyOf = (reader: TestUser, itemId: string) => `${reader.id} ${itemId}`
  return {
    now: () => ++tick,
    change: async (
      { source, reader, isOpen }: { source: Source; reader: TestUser; isOpen: boolean },
      work: () => Promise<boolean>,
    ) => {
      const key = keyOf(reader, source.itemId)
      if (isOpen) {
        lastOpen.set(key, ++tick)
        closedSince.delete(key)
      }
      const isDone = await work()
      if (!isOpen && isDone) closedSince.set(key, ++tick)
    },
    /** Since before the question was asked until now. */
    wasClosed: (reader: TestUser, itemId: string, asked: number) => {
      const since = closedSince.get(keyOf(reader, itemId))
      return since !== undefined && since < asked && (lastOpen.get(keyOf(reader, itemId)) ?? 0) < since
    },
  }
}

async function library(app: TestApp) {
  const knowledge = knowledgeCalls(app)
  const meetings = meetingCalls(app)
  const organizations = organizationCalls(app)
  const { id: tenantId, ...tenant } = await app.tenant()
  const key = await app.apiKey({ id: tenantId, ...tenant })
  const owner = await organizations.person(key)
  const { id: orgId } = await organizations.create(owner)
  const readers: TestUser[] = []
  for (let made = 0; made < readersMax; made++) readers.push(await organizations.add(key, orgId, 'member'))
  const sources: Source[] = []
  for (let made = 0; made < sourcesMax; made++) {
    const collectionId = await knowledge.collection(tenantId, orgId, { access: 'restricted', readers: [owner] })
    const topic = `vault${'abcdefgh'[made]}x`
    const blocks = [paragraph(`The password of the ${topic} is secret${made}.`)]
    const { id: itemId } = await knowledge.document({ tenantId, orgId, collectionId, title: topic, blocks })
    const path = `/orgs/${orgId}/collections/${collectionId}/members`
    sources.push({
      itemId,
      topic,
      set: async (reader, isOpen) => {
        const { status } = isOpen
          ? await knowledge.call(owner, 'PUT', `${path}/${reader.id}`, { body: { access: 'read' } })
          : await knowledge.call(owner, 'DELETE', `${path}/${reader.id}`)
        return status < 300 || status === 404
      },
    })
  }
  for (let made = 0; made < sourcesMax; made++) {
    const topic = `cellar${'abcdefgh'[made]}x`
    const transcript = [said(`The password of the ${topic} is hidden${made}.`)]
    const meeting = await meetings.create(owner, { orgId, visibility: 'members', transcript })
    await meetings.call(owner, 'POST', `/${meeting.id}/end`)
    const listed = new Set<string>()
    sources.push({
      itemId: meeting.id,
      topic,
      set: async (reader, isOpen) => {
        if (isOpen) listed.add(reader.id)
        else listed.delete(reader.id)
        const sharedWith = [...listed].map((userId) => ({ userId, access: 'read' }))
        const { status } = await meetings.call(owner, 'PATCH', `/${meeting.id}`, {
          body: { visibility: 'members', sharedWith },
        })
        return status === 200
      },
    })
  }
  await app.settled()
  return { orgId, readers, sources }
}
