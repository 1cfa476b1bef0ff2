import { isDeepStrictEqual } from 'node:util'
import { type TestApp, testApp } from '../../harness/app.ts'
import { generatedText } from '../../harness/generated-text.ts'
import { knowledgeCalls, paragraph } from '../../harness/knowledge.ts'
import { meetingCalls, said } from '../../harness/meetings.ts'
import { organizationCalls } from '../../harness/organizations.ts'
import type { Row } from '../row.ts'

const questionsMax = 200
const hidden = { documents: 1000, meetings: 50 }

/** Whether answers depend on what the asker may not read: they are compared before and after much of it is added. */
export async function interference(): Promise<Row[]> {
  const app = await testApp()
  const text = generatedText(11)
  const library = await readable(app, text)
  const questions = Array.from({ length: questionsMax }, text.question)
  const searches = questions.map((question) => question.split(' ').slice(3, 6).join(' '))
  const read = async () => {
    const asked = []
    for (const question of questions) asked.push(comparable(await library.ask(question)))
    const found = []
    for (const q of searches) found.push(await library.search(q))
    return { asked, found }
  }
  const before = await read()
  await library.addHidden()
  const after = await read()
  const differing = [...before.asked.keys()].filter(
    (index) =>
      !isDeepStrictEqual(before.asked[index], after.asked[index]) ||
      !isDeepStrictEqual(before.found[index], after.found[index]),
  )
  const answered = before.asked.filter(({ found }) => found).length
  const broken = differing.length === 0 ? '' : `differs: ${questions[differing[0] ?? 0]}`
  await app.app.server.close()
  return [{ questions: questions.length, answered, ...hidden, differing: differing.length, broken }]
}

/** Without ids and times of the answer itself. */
function comparable({ answerId: _, generatedAt: __, ...answer }: Record<string, unknown>) {
  return answer
}

async function readable(app: TestApp, text: ReturnType<typeof generatedText>) {
  const knowledge = knowledgeCalls(app)
  const meetings = meetingCalls(app)
  const organizations = organizationCalls(app)
  const { id: tenantId, ...tenant } = await app.tenant()
  const key = await app.apiKey({ id: tenantId, ...tenant })
  const owner = await organizations.person(key)
  const { id: orgId } = await organizations.create(owner)
  const asker = await organizations.add(key, orgId, 'member')
  const open = await knowledge.collection(tenantId, orgId)
  const closed = await knowledge.collection(tenantId, orgId, { access: 'restricted', readers: [owner] })
  const addDocuments = async (collectionId: string, count: number) => {
    for (let made = 0; made < count; made++) {
      const blocks = [paragraph(text.paragraph()), paragraph(text.paragraph())]
      await knowledge.document({ tenantId, orgId, collectionId, title: text.words(3), blocks })
    }
  }
  const addMeetings = async (visibility: 'org' | 'private', count: number) => {
    for (let made = 0; made < count; made++) {
      const transcript = Array.from({ length: 20 }, () => said(text.sentence()))
      const meeting = await meetings.create(owner, { orgId, visibility, transcript })
      await meetings.call(owner, 'POST', `/${meeting.id}/end`)
    }
    await app.settled()
  }
  await addDocuments(open, 200)
  await addMeetings('org', 10)
  return {
    ask: (question: string) => knowledge.ask(asker, orgId, question),
    search: (q: string) => knowledge.search(asker, orgId, q),
    addHidden: async () => {
      await addDocuments(closed, hidden.documents)
      await addMeetings('private', hidden.meetings)
    },
  }
}
