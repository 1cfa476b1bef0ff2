import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { said } from '../../../test/harness/meetings.ts'
import { completes } from '../../../test/harness/model-server.ts'
import { apiKey, assertGood, good, modelSummaries, transcript } from '../../../test/harness/model-summaries.ts'
import { rowsWith } from '../../../test/harness/tables.ts'

let models: Awaited<ReturnType<typeof modelSummaries>>

before(async () => {
  models = await modelSummaries()
})
after(() => models.close())

describe('a summary by a language model', () => {
  beforeEach(() => models.later())

  for (const mode of ['short', 'detailed']) {
    test(`uses the sentences of a good answer, within the promised length (${mode})`, async () => {
      models.server.behave(completes(good))
      const meeting = await models.meetingWith()
      const { body } = await models.getSummary(meeting.id, mode)
      assert.deepEqual(
        [body.engine, body.model, body.fallbackReason, body.basis],
        ['llm', 'test-model', null, 'transcript'],
      )
      assertGood(body)
      for (const { text } of good.sentences) assert.ok(body.summary.includes(text), `${text} is not in ${body.summary}`)
      const cited = body.citations.find(({ sentence }: { sentence: string }) => sentence === good.sentences[3]?.text)
      assert.deepEqual([cited.basis, cited.entries], ['model', [4, 5]])
      assert.deepEqual(body.topics, good.topics)
      assert.deepEqual(body.decisions, [
        { text: 'The contract for the office is signed on Friday', confidence: 'high', entries: [4, 5] },
      ])
      assert.deepEqual(body.actionItems, [
        {
          text: 'Send the signed contract to the landlord',
          owner: 'Cleo',
          due: 'by Monday',
          confidence: 'high',
          entries: [6],
        },
      ])
      assert.equal(body.questions[0].speaker, 'Ben')
      if (mode === 'detailed') {
        assert.match(body.summary, /Ben \(\d+%\) explained the rent and agreed to sign the contract\./)
        assert.doesNotMatch(body.summary, /No language model|Sentences are chosen by/)
      }
    })
  }

  test('is requested with the key, the transcript as quoted data and the schema, once for all who wait', async () => {
    models.server.behave(completes(good))
    const meeting = await models.meetingWith()
    await Promise.all(Array.from({ length: 5 }, () => models.getSummary(meeting.id)))
    await models.getSummary(meeting.id)
    assert.equal(models.server.requests.length, 1)
    const [{ path, authorization, instructions, prompt, responseFormat }] = models.server.requests as [
      (typeof models.server.requests)[0],
    ]
    assert.deepEqual([path, authorization, responseFormat], ['/v1/chat/completions', `Bearer ${apiKey}`, 'json_schema'])
    assert.ok(!instructions.includes('PWNED'))
    const [, boundary = ''] = /two lines "(transcript-[0-9a-f-]{36})"/.exec(instructions) ?? []
    const [, between] = prompt.split(boundary)
    assert.equal(between?.trim().split('\n').length, transcript.length)
    assert.ok(between?.includes('PWNED'))
  })

  test('is requested again without a schema where the endpoint supports none, and always from then on', async () => {
    await models.reopen()
    models.server.behave((reply, request) =>
      request.responseFormat
        ? void reply.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}')
        : completes(good)(reply, request),
    )
    const meeting = await models.meetingWith()
    assert.equal((await models.getSummary(meeting.id)).body.engine, 'llm')
    assert.equal((await models.getSummary(meeting.id, 'detailed')).body.engine, 'llm')
    assert.equal(models.server.requests.length, 3)
  })

  test('of a meeting that is erased meanwhile is 404, and nothing of it is stored', async () => {
    const meeting = await models.meetingWith()
    models.server.behave(async (reply, request) => {
      await models.at().calls.remove(models.at().user, meeting.id)
      completes(good)(reply, request)
    })
    assert.equal((await models.getSummary(meeting.id)).status, 404)
    const rows = await rowsWith(models.at().app.platform, meeting.id)
    assert.deepEqual(
      rows.filter((row) => row.startsWith('public.summaries ')),
      [],
    )
  })

  test('leaves no key and no answer of the endpoint in the database', async () => {
    models.server.behave((reply) => void reply.writeHead(401).end(`{"error":{"message":"wrong key ${apiKey}"}}`))
    const { body } = await models.getSummary((await models.meetingWith()).id)
    assert.equal(body.fallbackReason, 'REFUSED')
    assert.ok(!JSON.stringify(body).includes(apiKey))
    assert.deepEqual(await rowsWith(models.at().app.platform, apiKey), [])
  })

  test('is not requested for a transcript of a few words', async () => {
    const meeting = await models.at().calls.create(models.at().user, { transcript: [said('Hello there.')] })
    const { body } = await models.getSummary(meeting.id)
    assert.deepEqual([body.engine, body.fallbackReason, models.server.requests.length], ['local', 'TOO_LITTLE', 0])
  })

  test('of a long meeting uses a fair excerpt and says so', async () => {
    await models.reopen({ inputTokensMax: 1000 })
    models.server.behave(completes({ ...good, sentences: [...good.sentences, ...good.sentences] }))
    const long = Array.from({ length: 400 }, (_, i) =>
      said(`Point ${i} of the plan for the office needs a budget, a contract and a person.`, {
        speaker: i === 317 ? 'Zoe' : 'Dan',
      }),
    )
    const meeting = await models.meetingWith({ transcript: [...transcript, ...long.slice(0, 400)] })
    const { body } = await models.getSummary(meeting.id)
    assert.deepEqual([body.engine, body.basis], ['llm', 'excerpt'])
    const lines = models.server.requests[0]?.prompt.split('\n').filter((line) => line.startsWith('{')) ?? []
    const numbers = lines.map((line) => JSON.parse(line).n)
    assert.ok(lines.length > 20 && lines.length < 60, `${lines.length} entries`)
    assert.ok(numbers.some((n) => n < 60) && numbers.some((n) => n > 180 && n < 230) && numbers.some((n) => n > 350))
    for (const name of ['Ann', 'Ben', 'Cleo', 'Dan', 'Zoe'])
      assert.ok(
        lines.some((line) => line.includes(`"${name}"`)),
        name,
      )
  })
})

describe('text around the JSON of a model is removed', () => {
  beforeEach(() => models.later())

  const json = JSON.stringify(good)
  const forms: [what: string, content: string, finishReason?: string][] = [
    ['a fence', `\`\`\`json\n${json}\n\`\`\``],
    ['prose around a fence', `Here is the summary:\n\`\`\`\n${json}\n\`\`\`\nAnything else?`],
    ['thoughts', `<think>Let me see {"a": 1}</think>${json}`],
    ['text after it', `${json} I hope this helps! {}`],
    ['stray commas', json.replaceAll('}]', '},]')],
    ['an end that is missing', json.slice(0, json.indexOf('"decisions"') + 20), 'length'],
  ]
  for (const [what, content, finishReason = 'stop'] of forms) {
    test(what, async () => {
      models.server.behave(completes(content, { finishReason }))
      const { body } = await models.getSummary((await models.meetingWith()).id)
      assert.deepEqual([body.engine, body.fallbackReason], ['llm', null])
      assertGood(body)
      assert.equal(models.server.requests.length, 1)
    })
  }
})

describe('the cost of a model is limited', () => {
  beforeEach(() => models.reopen())

  test('after five failures a broken endpoint is not called for a minute, and then one request tries it again', async () => {
    models.server.behave((reply) => void reply.writeHead(500).end())
    const reasons = []
    for (let i = 0; i < 7; i += 1)
      reasons.push((await models.getSummary((await models.meetingWith()).id)).body.fallbackReason)
    assert.deepEqual(reasons, [...Array(5).fill('UNREACHABLE'), 'PAUSED', 'PAUSED'])
    assert.equal(models.server.requests.length, 5)
    models.at().app.clock.advance({ seconds: 61 })
    models.server.behave(completes(good))
    assert.equal((await models.getSummary((await models.meetingWith()).id)).body.engine, 'llm')
  })

  test("a tenant's failures do not pause the model for another tenant", async () => {
    models.server.behave((reply) => void reply.writeHead(400).end())
    for (let i = 0; i < 7; i += 1) await models.getSummary((await models.meetingWith()).id)
    models.server.behave(completes(good))
    assert.equal((await models.getSummary((await models.meetingWith()).id)).body.fallbackReason, 'PAUSED')
    const { calls } = models.at()
    const other = await calls.someone()
    const { id } = await calls.create(other, { transcript, title: 'Office' })
    assert.equal((await calls.call(other, 'GET', `/${id}/summary?mode=short`)).body.engine, 'llm')
  })

  test('an endpoint that asks for a pause is not called during it', async () => {
    models.server.behave((reply) => void reply.writeHead(429, { 'retry-after': '30' }).end())
    assert.equal((await models.getSummary((await models.meetingWith()).id)).body.fallbackReason, 'RATE_LIMITED')
    models.server.behave(completes(good))
    models.at().app.clock.advance({ seconds: 29 })
    assert.equal((await models.getSummary((await models.meetingWith()).id)).body.fallbackReason, 'PAUSED')
    models.at().app.clock.advance({ seconds: 2 })
    assert.equal((await models.getSummary((await models.meetingWith()).id)).body.engine, 'llm')
  })

  test('a fallback summary of the local engine is kept for five minutes, then the model is asked again', async () => {
    models.server.behave((reply) => void reply.writeHead(500).end())
    const { id } = await models.meetingWith()
    await models.getSummary(id)
    models.server.behave(completes(good))
    models.at().app.clock.advance({ seconds: 290 })
    assert.equal((await models.getSummary(id)).body.engine, 'local')
    models.at().app.clock.advance({ seconds: 20 })
    assert.equal((await models.getSummary(id)).body.engine, 'llm')
    assert.equal(models.server.requests.length, 2)
  })

  test('a tenant whose budget is spent gets local summaries until the next day, another tenant does not', async () => {
    await models.reopen({ tokensPerDay: 9000 })
    models.server.behave(completes(good, { tokens: 7000 }))
    assert.equal((await models.getSummary((await models.meetingWith()).id)).body.engine, 'llm')
    assert.equal((await models.getSummary((await models.meetingWith()).id)).body.fallbackReason, 'BUDGET_SPENT')
    assert.equal(models.server.requests.length, 1)
    const other = await models.at().calls.someone()
    const theirs = await models.at().calls.create(other, { transcript, title: 'Office' })
    assert.equal((await models.at().calls.call(other, 'GET', `/${theirs.id}/summary`)).body.engine, 'llm')
    models.at().app.clock.advance({ seconds: 86_400 })
    await models.again()
    assert.equal((await models.getSummary((await models.meetingWith()).id)).body.engine, 'llm')
  })

  test('requests at the same time never exceed the budget together', async () => {
    await models.reopen({ tokensPerDay: 9000 })
    models.server.behave(completes(good, { tokens: 3000 }))
    const meetings = await Promise.all(Array.from({ length: 8 }, () => models.meetingWith()))
    const engines = await Promise.all(meetings.map(async ({ id }) => (await models.getSummary(id)).body.engine))
    const asked = engines.filter((it) => it === 'llm').length
    assert.equal(models.server.requests.length, asked)
    assert.ok(asked >= 2 && asked <= 4, `${asked} were asked`)
  })
})
