import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp, unique } from '../../../test/harness/app.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { one, sql } from '../../storage/query.ts'
import { listChanges } from '../entries/entry.store.ts'

let app: TestApp
let calls: ReturnType<typeof meetingCalls>
let user: TestUser

before(async () => {
  app = await testApp()
  calls = meetingCalls(app)
  user = await calls.someone()
})

const read = (id: string, query = '', headers: Record<string, string> = {}) =>
  calls.call(user, 'GET', `/${id}/transcript${query}`, { headers })
const bring = (id: string, body: string | Buffer, type: string, query = '', headers = {}) =>
  calls.call(user, 'POST', `/${id}/transcript/import${query}`, { body, headers: { 'content-type': type, ...headers } })
/** Past the harness, which looks for secrets in every body: in one of many megabytes that takes a minute. */
const bringLarge = async (id: string, payload: Buffer, type: string) => {
  const reply = await app.app.server.inject({
    method: 'POST',
    url: `/assistant/v1/meetings/${id}/transcript/import`,
    headers: { authorization: `Bearer ${user.accessToken}`, 'content-type': type },
    payload,
  })
  return { status: reply.statusCode, body: JSON.parse(reply.payload) }
}
const textsOf = (entries: { text: string }[]) => entries.map(({ text }) => text)

describe('adding entries', () => {
  test('the first entries make a meeting active, and all are stored in the order of their arrival', async () => {
    const { id } = await calls.create(user)
    app.clock.advance({ seconds: 60 })
    const first = await calls.append(user, id, [said('One.'), said('Two, two.', { timestamp: '00:00:00' })])
    assert.equal(first.status, 200)
    assert.deepEqual(first.body, {
      meetingId: id,
      added: 2,
      replaced: 0,
      unchanged: 0,
      lastSeq: 2,
      entryCount: 2,
      status: 'active',
      revision: 2,
    })
    await calls.append(user, id, [said('Three.')])
    const { body } = await calls.get(user, id)
    assert.deepEqual(textsOf(body.transcript), ['One.', 'Two, two.', 'Three.'])
    assert.equal(body.startedAt, app.clock.now().toISOString())
    assert.deepEqual([body.entryCount, body.wordCount, body.revision], [3, 4, 3])
  })

  test('a name with spaces around it is the same person', async () => {
    const names = ['Ann', ' Ann ', 'Ann Lee', 'Ann\n  Lee']
    const { id } = await calls.create(user, { transcript: [said('One.', { speaker: 'Ann\t' })] })
    await calls.append(
      user,
      id,
      names.map((speaker) => said('Two.', { speaker })),
    )
    const { body } = await calls.get(user, id)
    const kept = body.transcript.map(({ speaker }: { speaker: string }) => speaker)
    assert.deepEqual(kept, ['Ann', 'Ann', 'Ann', 'Ann Lee', 'Ann Lee'])
  })

  test('a repeated segment id replaces the entry, and is a change for readers that are further ahead', async () => {
    const { id } = await calls.create(user)
    await calls.append(user, id, [said('Draft', { segmentId: 's1' }), said('Second', { segmentId: 's2' })])
    const again = await calls.append(user, id, [
      said('Final words', { segmentId: 's1', speaker: 'Ben' }),
      said('Second', { segmentId: 's2' }),
    ])
    assert.deepEqual([again.body.added, again.body.replaced, again.body.unchanged, again.body.lastSeq], [0, 1, 1, 3])
    const { body } = await calls.get(user, id)
    assert.deepEqual(
      body.transcript.map((entry: { seq: number; speaker: string; text: string }) => [
        entry.seq,
        entry.speaker,
        entry.text,
      ]),
      [
        [1, 'Ben', 'Final words'],
        [2, 'Ada', 'Second'],
      ],
    )
    assert.deepEqual([body.entryCount, body.wordCount], [2, 3])
    const { entries, hasMore } = await listChanges(app.scopeOf(user.tenantId), id, { afterSeq: 2, limit: 10 })
    assert.deepEqual([entries.map(({ seq, changedSeq }) => [seq, changedSeq]), hasMore], [[[1, 3]], false])
    const same = await calls.append(user, id, [said('Second', { segmentId: 's2' })])
    assert.deepEqual([same.body.unchanged, same.body.revision], [1, again.body.revision])
  })

  test('a request repeated under its key adds nothing twice', async () => {
    const { id } = await calls.create(user)
    const headers = { 'idempotency-key': unique('k') }
    const first = await calls.append(user, id, [said('Once.')], headers)
    const again = await calls.append(user, id, [said('Once.')], headers)
    assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, 'true'])
    assert.deepEqual(again.body, first.body)
    assert.equal((await calls.get(user, id)).body.entryCount, 1)
  })

  test('a meeting that is over takes no live entries, but a completed one can still import a transcript', async () => {
    for (const [move, isImported] of [
      ['end', true],
      ['cancel', false],
    ] as const) {
      const { id } = await calls.create(user, { transcript: [said('Hello.')] })
      assert.equal((await calls.call(user, 'POST', `/${id}/${move}`)).status, 200)
      const late = await calls.append(user, id, [said('Too late.')])
      assert.deepEqual([late.status, late.body.code], [409, 'STATE_CONFLICT'])
      const imported = await bring(id, 'WEBVTT\n\n00:01.000 --> 00:02.000\nAda: Afterwards.', 'text/vtt')
      assert.equal(imported.status, isImported ? 200 : 409)
      assert.equal((await calls.get(user, id)).body.entryCount, isImported ? 2 : 1)
    }
  })

  test('an invalid entry is refused with its path, and nothing of its batch is stored', async () => {
    const { id } = await calls.create(user)
    const cases: [body: unknown, path: string][] = [
      [[], '/body/entries'],
      [Array(501).fill(said('x')), '/body/entries'],
      [[said('ok'), said('')], '/body/entries/1/text'],
      [[said('ok'), said(' \n ')], '/body/entries/1/text'],
      [[said('x'.repeat(10_001))], '/body/entries/0/text'],
      [[said('x', { speaker: '' })], '/body/entries/0/speaker'],
      [[said('x', { speaker: 'y'.repeat(201) })], '/body/entries/0/speaker'],
      [[said('x', { timestamp: '1:00' })], '/body/entries/0/timestamp'],
      [[said('x', { timestamp: '100:00:00' })], '/body/entries/0/timestamp'],
      [[said('x', { timestamp: '00:60:00' })], '/body/entries/0/timestamp'],
      [[{ ...said('x'), isFinal: true }], '/body/entries/0/isFinal'],
    ]
    for (const [entries, path] of cases) {
      const reply = await calls.append(user, id, entries)
      assert.deepEqual([reply.status, reply.body.code, reply.body.errors[0].path], [400, 'VALIDATION_ERROR', path])
    }
    assert.equal((await calls.get(user, id)).body.entryCount, 0)
    const longest = [said('x'.repeat(10_000), { timestamp: '99:59:59.999', speaker: 'y'.repeat(200) })]
    assert.equal((await calls.append(user, id, longest)).status, 200)
  })

  test('twenty concurrent writers lose nothing: all entries are there, each segment once, all numbers different', async () => {
    const { id } = await calls.create(user)
    const writers = 20
    const perCall = 50
    // Every writer sends 25 pieces of its own and 25 that all others send, too, each with other words.
    const batches = Array.from({ length: writers }, (_, writer) =>
      Array.from({ length: perCall }, (_, n) =>
        said(`w${writer} n${n}`, { segmentId: n % 2 === 0 ? `shared-${n}` : `own-${writer}-${n}` }),
      ),
    )
    const replies = await Promise.all(batches.map((entries) => calls.append(user, id, entries)))
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
    const own = writers * 25
    const sum = (name: string) => replies.reduce((total, { body }) => total + body[name], 0)
    assert.deepEqual([sum('added'), sum('replaced'), sum('unchanged')], [own + 25, (writers - 1) * 25, 0])
    const { body } = await calls.get(user, id)
    assert.equal(body.entryCount, own + 25)
    const segments = body.transcript.map(({ segmentId }: { segmentId: string }) => segmentId)
    assert.deepEqual(new Set(segments), new Set(batches.flat().map(({ segmentId }) => segmentId)))
    assert.equal(segments.length, own + 25)
    const { wrong } = await one(
      app.platform,
      sql<{
        wrong: number
      }>`select (count(*) - count(distinct changed_seq) + count(*) filter (where changed_seq > m.last_seq or seq > changed_seq)
          + (m.entry_count <> count(*))::int + (m.char_count <> sum(length(text)))::int + (m.word_count <> sum(words))::int
          + (m.last_seq <> max(changed_seq))::int)::int as wrong
        from transcript_entries e join meetings m on m.tenant_id = e.tenant_id and m.id = e.meeting_id
        where m.id = ${id} group by m.last_seq, m.entry_count, m.char_count, m.word_count`,
    )
    assert.equal(wrong, 0)
    // What one call brought stands in the order in which it was sent.
    const ofOne = body.transcript.filter(({ segmentId }: { segmentId: string }) => segmentId.startsWith('own-7-'))
    assert.deepEqual(
      textsOf(ofOne),
      batches[7]?.filter((_, n) => n % 2 === 1).map(({ text }) => text),
    )
  })
})

const vtt =
  'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Ada>Hello &amp; welcome.</v>\n\n00:02.500 --> 00:03.000\n<v Ben>Thanks.</v>\n'

describe('importing a file', () => {
  test('its format comes from the content type or the query', async () => {
    const srt =
      '1\n00:00:01,000 --> 00:00:02,000\nAda: Hello & welcome.\n\n2\n00:00:02,500 --> 00:00:03,000\nBen: Thanks.\n'
    const json = JSON.stringify({
      utterances: [
        { speaker: 'Ada', text: 'Hello & welcome.', start: 1000 },
        { speaker: 'Ben', text: 'Thanks.', start: 2500 },
      ],
    })
    const cases: [body: string | Buffer, type: string, query: string][] = [
      [vtt, 'text/vtt', ''],
      [Buffer.from(`\ufeff${vtt.replaceAll('\n', '\r\n')}`), 'text/vtt; charset=utf-8', ''],
      [srt, 'application/x-subrip', ''],
      [srt, 'text/plain', '?format=srt'],
      [json, 'application/json', ''],
      [vtt, 'text/plain', '?format=vtt'],
    ]
    for (const [body, type, query] of cases) {
      const { id } = await calls.create(user)
      const reply = await bring(id, body, type, query)
      assert.deepEqual([reply.status, reply.body.added, reply.body.status], [200, 2, 'active'], type)
      assert.deepEqual((await calls.get(user, id)).body.transcript, [
        { seq: 1, speaker: 'Ada', text: 'Hello & welcome.', timestamp: '00:00:01', offsetMs: 1000, segmentId: null },
        { seq: 2, speaker: 'Ben', text: 'Thanks.', timestamp: '00:00:02', offsetMs: 2500, segmentId: null },
      ])
    }
  })

  test('a file that cannot be read is refused, and nothing of it is stored', async () => {
    const { id } = await calls.create(user)
    const cases: [body: string | Buffer, type: string, query: string, status: number, code: string, detail: RegExp][] =
      [
        [`${vtt}\n00:99 --> x\nHi`, 'text/vtt', '', 400, 'VALIDATION_ERROR', /line 9 has no times/],
        [`${vtt}\n00:09.000 -> 00:10.000\nHi`, 'text/vtt', '', 400, 'VALIDATION_ERROR', /line 9 has no times/],
        ['WEBVTT\n', 'text/vtt', '', 400, 'VALIDATION_ERROR', /contains no entries/],
        [Buffer.from([0x57, 0xff]), 'text/vtt', '', 400, 'VALIDATION_ERROR', /UTF-8/],
        [`${vtt}\0`, 'text/vtt', '', 400, 'VALIDATION_ERROR', /NUL/],
        [vtt, 'text/plain', '', 400, 'VALIDATION_ERROR', /format is required/],
        [vtt, 'text/vtt', '?format=docx', 400, 'VALIDATION_ERROR', /must be one of/],
        ['{"entries":', 'application/json', '', 400, 'MALFORMED_JSON', /JSON/],
        ['{"entries":[]}', 'application/json', '', 400, 'VALIDATION_ERROR', /known format/],
        [vtt, 'text/html', '', 415, 'UNSUPPORTED_MEDIA_TYPE', /./],
        ['', 'text/vtt', '', 400, 'VALIDATION_ERROR', /./],
      ]
    for (const [body, type, query, status, code, detail] of cases) {
      const reply = await bring(id, body, type, query)
      assert.deepEqual([reply.status, reply.body.code], [status, code], JSON.stringify(reply.body))
      assert.match(reply.body.detail ?? reply.body.title, detail)
    }
    const large = await bringLarge(id, Buffer.alloc(20 * 1024 * 1024 + 1, 0x20), 'text/vtt')
    assert.deepEqual([large.status, large.body.code], [413, 'BODY_TOO_LARGE'])
    const nothing = await calls.call(user, 'POST', `/${id}/transcript/import`)
    assert.deepEqual([nothing.status, nothing.body.code], [400, 'VALIDATION_ERROR'])
    assert.equal((await calls.get(user, id)).body.entryCount, 0)
    assert.equal((await bring(id, vtt, 'text/vtt', '', { 'content-encoding': 'gzip' })).status, 415)
  })

  test('only the import route accepts a text body', async () => {
    const reply = await calls.call(user, 'POST', '', { body: vtt, headers: { 'content-type': 'text/vtt' } })
    assert.deepEqual([reply.status, reply.body.code], [415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  test('a file repeated under its key is imported once, and another one under the key is refused', async () => {
    const { id } = await calls.create(user)
    const headers = { 'idempotency-key': unique('k') }
    const first = await bring(id, vtt, 'text/vtt', '', headers)
    const again = await bring(id, vtt, 'text/vtt', '', headers)
    assert.deepEqual([again.status, again.body], [200, first.body])
    assert.equal((await bring(id, `${vtt} `, 'text/vtt', '', headers)).body.code, 'IDEMPOTENCY_KEY_REUSED')
    assert.equal((await calls.get(user, id)).body.entryCount, 2)
  })

  test('a long meeting is imported whole, read in pages and downloaded whole; beyond the limit nothing is stored', async () => {
    const { id } = await calls.create(user)
    const entries = Array.from({ length: 12_500 }, (_, n) => ({
      speaker: `Person ${n % 7}`,
      text: `This is thing number ${n}.`,
      timestamp: '00:00:01',
    }))
    const imported = await bring(id, JSON.stringify(entries), 'application/json')
    assert.deepEqual([imported.status, imported.body.added], [200, 12_500])

    const { body } = await calls.get(user, id)
    assert.deepEqual([body.transcript.length, body.transcriptTruncated, body.entryCount], [10_000, true, 12_500])
    const seen: string[] = []
    for (let after: number | null = 0; after !== null; ) {
      const page: { entries: { text: string }[]; nextAfterSeq: number | null } = (
        await read(id, `?limit=1000&afterSeq=${after}`)
      ).body
      seen.push(...textsOf(page.entries))
      after = page.nextAfterSeq
    }
    assert.deepEqual(seen, textsOf(entries))
    assert.deepEqual(textsOf((await read(id)).body.entries), textsOf(entries))
    assert.deepEqual(textsOf((await read(id, '?afterSeq=12498')).body.entries), textsOf(entries.slice(-2)))

    const file = (await read(id, '?format=vtt')).bytes.toString()
    const { id: copy } = await calls.create(user)
    assert.equal((await bring(copy, file, 'text/vtt')).body.added, 12_500)
    assert.deepEqual(textsOf((await read(copy)).body.entries), textsOf(entries))

    const tooMany = JSON.stringify(
      Array.from({ length: 200_000 }, () => ({ speaker: 'A', text: 'x', timestamp: '00:00:01' })),
    )
    const refused = await bringLarge(id, Buffer.from(tooMany), 'application/json')
    assert.deepEqual([refused.status, refused.body.code], [409, 'STATE_CONFLICT'])
    assert.equal((await calls.get(user, id)).body.entryCount, 12_500)
  })
})

describe('reading a transcript', () => {
  test('as JSON, WebVTT, SRT or text, chosen by the query or by Accept', async () => {
    const transcript = [
      said('Hi <b>all</b> & --> more', { speaker: 'A <x>', segmentId: 's1' }),
      said('two\n\nlines', { timestamp: '00:00:02.250' }),
    ]
    const { id } = await calls.create(user, { transcript })
    const json = await read(id)
    assert.match(json.headers['content-type'] ?? '', /^application\/json/)
    assert.deepEqual(json.body, {
      meetingId: id,
      gaps: [],
      entries: [
        { seq: 1, ...transcript[0], offsetMs: 1000 },
        { seq: 2, ...transcript[1], timestamp: '00:00:02', offsetMs: 2250, segmentId: null },
      ],
      nextAfterSeq: null,
    })
    const vttFile =
      'WEBVTT\n\n00:00:01.000 --> 00:00:02.250\n<v A &lt;x&gt;>Hi &lt;b&gt;all&lt;/b&gt; &amp; --&gt; more\n' +
      '\n00:00:02.250 --> 00:00:03.250\n<v Ada>two lines\n'
    const srtFile =
      '1\n00:00:01,000 --> 00:00:02,250\nA &lt;x&gt;: Hi &lt;b&gt;all&lt;/b&gt; &amp; --&gt; more\n' +
      '\n2\n00:00:02,250 --> 00:00:03,250\nAda: two lines\n\n'
    const text = '[00:00:01] A <x>: Hi <b>all</b> & --> more\n[00:00:02] Ada: two lines\n'
    const cases: [query: string, accept: string, type: string, expected: string][] = [
      ['?format=vtt', '*/*', 'text/vtt; charset=utf-8', vttFile],
      ['', 'text/vtt', 'text/vtt; charset=utf-8', vttFile],
      ['?format=srt', '*/*', 'application/x-subrip; charset=utf-8', srtFile],
      ['', 'application/x-subrip', 'application/x-subrip; charset=utf-8', srtFile],
      ['?format=txt', '*/*', 'text/plain; charset=utf-8', text],
      ['', 'text/plain;q=0.9, text/vtt;q=0.1', 'text/plain; charset=utf-8', text],
    ]
    for (const [query, accept, type, expected] of cases) {
      const reply = await read(id, query, { accept })
      assert.deepEqual([reply.status, reply.headers['content-type'], reply.bytes.toString()], [200, type, expected])
      assert.equal(reply.headers['vary'], 'Accept')
      assert.equal(reply.headers['cache-control'], 'no-store')
    }
    assert.equal((await read(id, '', { accept: 'image/png' })).status, 406)
    assert.equal((await read(id, '?format=vtt&limit=2')).status, 400)
    assert.equal((await read(id, '?limit=1001')).status, 400)
  })

  test('an exported file, imported again in any format, gives the same words at the same milliseconds', async () => {
    const entries = Array.from({ length: 40 }, (_, n) =>
      said(`Point ${n} -> ${n + 1} & <b>more</b>`, {
        speaker: n % 2 ? 'Ada' : 'Grace Hopper',
        timestamp: `00:${String(n).padStart(2, '0')}:07.${String(n * 25).padStart(3, '0')}`,
      }),
    )
    const { id } = await calls.create(user, { transcript: entries })
    const original = (await read(id)).body.entries
    assert.ok(original.every(({ timestamp }: { timestamp: string }) => /^\d\d:\d\d:\d\d$/.test(timestamp)))
    assert.equal(original[39].offsetMs, 2_347_975)
    for (const [format, type] of [
      ['json', 'application/json'],
      ['vtt', 'text/vtt'],
      ['srt', 'application/x-subrip'],
    ] as const) {
      const copy = await calls.create(user)
      assert.equal((await bring(copy.id, (await read(id, `?format=${format}`)).bytes, type)).status, 200)
      assert.deepEqual((await read(copy.id)).body.entries, original)
    }
  })

  test('an empty one is empty in every format', async () => {
    const { id } = await calls.create(user)
    assert.deepEqual((await read(id)).body, { meetingId: id, gaps: [], entries: [], nextAfterSeq: null })
    assert.deepEqual((await read(id, '?limit=5')).body, { meetingId: id, gaps: [], entries: [], nextAfterSeq: null })
    assert.equal((await read(id, '?format=vtt')).bytes.toString(), 'WEBVTT\n')
    assert.equal((await read(id, '?format=txt')).bytes.toString(), '')
  })

  test('a page of very long entries is shorter than requested, and the next one continues', async () => {
    const { id } = await calls.create(user)
    const long = Array.from({ length: 450 }, (_, n) => ({
      speaker: 'A',
      text: `${n} ${'x'.repeat(9_990)}`,
      timestamp: '00:00:01',
    }))
    assert.equal((await bringLarge(id, Buffer.from(JSON.stringify(long)), 'application/json')).body.added, 450)
    const first = (await read(id, '?limit=1000')).body
    assert.ok(first.entries.length < 450 && first.nextAfterSeq === first.entries.length)
    const rest = (await read(id, `?limit=1000&afterSeq=${first.nextAfterSeq}`)).body
    assert.deepEqual([first.entries.length + rest.entries.length, rest.nextAfterSeq], [450, null])
    const whole = (await calls.get(user, id)).body
    assert.deepEqual([whole.transcript.length, whole.transcriptTruncated], [first.entries.length, true])
    assert.equal((await read(id)).body.entries.length, 450)
  })
})
