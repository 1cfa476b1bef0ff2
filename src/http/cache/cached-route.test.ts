import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { parts, serverWith } from '../../../test/harness/floor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { Visit } from '../../kernel/visit.ts'
import { open } from '../access/access.ts'
import { ok, raw } from '../answer.ts'
import { route } from '../route.ts'
import type { PublicCacheSettings } from '../server-deps.ts'

const longText = 'the same words again and again; '.repeat(100)

/** One public page whose text a test changes, and how often it was made. */
function site(settings: Partial<PublicCacheSettings> = {}) {
  const state = { text: longText, made: 0, visits: [] as Visit[], generation: 1, validUntil: null as Date | null }
  const doing = { now: () => Promise.resolve() }
  const page = route({
    method: 'GET',
    path: '/pages/:slug',
    name: 'page',
    tag: 'Utility',
    summary: 's',
    access: open('test'),
    params: { slug: Type.String() },
    query: StrictObject({
      preview: Type.Optional(Type.String({ maxLength: 5 })),
      q: Type.Optional(Type.String({ maxLength: 5 })),
    }),
    answers: {
      200: {
        rawTypes: ['text/markdown; charset=utf-8'],
        json: StrictObject({ slug: Type.String(), text: Type.String() }),
        description: 'd',
      },
    },
    cache: { maxAgeSeconds: 0, uncachedParams: ['q'] },
    handle: async ({ params: { slug }, query, headers }) => {
      state.made += 1
      const { text } = state
      await doing.now()
      if (slug === 'none') throw notFound()
      if (headers['accept'] === 'text/markdown') return raw('text/markdown; charset=utf-8', text)
      const answer = { ...ok({ slug, text }), onServed: (visit: Visit) => void state.visits.push(visit) }
      if (query.preview) return { ...answer, headers: { 'cache-control': 'private, no-store' } }
      return { ...answer, ...(state.validUntil ? { validUntil: state.validUntil } : {}) }
    },
  })
  const server = serverWith({
    routes: [page],
    publicCache: { maxAgeSeconds: 0, cacheBytesMax: 1_000_000, ...settings },
    publicRevision: { current: () => state.generation },
  })
  const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    server.inject({ method, url, headers })
  return { state, get, doing }
}

test('what is asked for again is not made again, until something public has changed', async () => {
  const { state, get } = site()
  const first = await get('/pages/a')
  const again = await get('/pages/a?utm_source=elsewhere')
  assert.equal(state.made, 1)
  assert.deepEqual(again.rawPayload, first.rawPayload)
  assert.equal(again.headers.etag, first.headers.etag)
  state.text = 'new'
  state.generation += 1
  const changed = await get('/pages/a')
  assert.equal(changed.json().text, 'new')
  assert.notEqual(changed.headers.etag, first.headers.etag)
  assert.equal((await get('/pages/b')).json().slug, 'b')
})

test('an answer that was being made when something changed is not kept', async () => {
  const { state, get, doing } = site()
  doing.now = async () => {
    state.text = 'new'
    state.generation += 1
  }
  assert.equal((await get('/pages/a')).json().text, longText)
  assert.equal((await get('/pages/a')).json().text, 'new')
})

test('however many ask for it at once, an answer is made once', async () => {
  const { state, get } = site()
  const answers = await Promise.all(Array.from({ length: 50 }, () => get('/pages/a')))
  assert.ok(answers.every(({ statusCode }) => statusCode === 200))
  assert.equal(state.made, 1)
  assert.equal(state.visits.length, 50)
})

test('each coding is sent to whom it is acceptable, under a tag of its own', async () => {
  const { get } = site()
  const plain = await get('/pages/a')
  const [br, gzip, none] = await Promise.all(
    ['gzip, br', 'gzip;q=0.5, br;q=0', 'identity'].map((coding) => get('/pages/a', { 'accept-encoding': coding })),
  )
  assert.equal(br?.headers['content-encoding'], 'br')
  assert.deepEqual(brotliDecompressSync(br?.rawPayload as Buffer), plain.rawPayload)
  assert.equal(gzip?.headers['content-encoding'], 'gzip')
  assert.deepEqual(gunzipSync(gzip?.rawPayload as Buffer), plain.rawPayload)
  assert.equal(none?.headers['content-encoding'], undefined)
  assert.equal(new Set([plain, br, gzip].map((answer) => answer?.headers.etag)).size, 3)
  assert.ok([plain, br, gzip].every((answer) => answer?.headers.vary === 'accept, accept-encoding'))
  const known = await get('/pages/a', { 'accept-encoding': 'br', 'if-none-match': String(br?.headers.etag) })
  assert.equal(known.statusCode, 304)
  assert.equal(known.headers['content-encoding'], undefined)
  assert.equal(known.headers.etag, br?.headers.etag)
})

test('one address has an answer for each media type', async () => {
  const { get } = site()
  for (let time = 0; time < 2; time++) {
    assert.equal((await get('/pages/a', { accept: 'text/markdown' })).payload, longText)
    assert.equal((await get('/pages/a', { accept: 'application/json' })).json().slug, 'a')
  }
  assert.equal((await get('/pages/a', { accept: 'image/png' })).statusCode, 406)
})

test('a visit is told of at 200 and at 304, and not at HEAD', async () => {
  const { state, get } = site()
  const { headers } = await get('/pages/a')
  await get('/pages/a?utm_source=x', { 'if-none-match': `W/${headers.etag}`, 'user-agent': 'somebody' })
  const head = await get('/pages/a', {}, 'HEAD')
  assert.equal(head.statusCode, 200)
  assert.equal(head.headers.etag, headers.etag)
  assert.equal(state.visits.length, 2)
  assert.equal(state.visits[1]?.url, '/pages/a?utm_source=x')
  assert.equal(state.visits[1]?.headers['user-agent'], 'somebody')
})

test('a preview is shown to its asker and kept for nobody', async () => {
  const { state, get } = site()
  for (let time = 0; time < 2; time++) {
    const preview = await get('/pages/a?preview=token')
    assert.equal(preview.statusCode, 200)
    assert.equal(preview.headers['cache-control'], 'private, no-store')
    assert.equal(preview.headers.etag, undefined)
  }
  assert.equal(state.made, 2)
  assert.match(String((await get('/pages/a')).headers['cache-control']), /^public/)
})

test('an answer to words that anybody may invent pushes no other out of memory', async () => {
  const { state, get } = site({ cacheBytesMax: 60_000 })
  await get('/pages/a')
  for (let word = 0; word < 100; word++) assert.equal((await get(`/pages/a?q=${word}`)).statusCode, 200)
  const before = state.made
  await get('/pages/a')
  assert.equal(state.made, before)
})

test('a refusal is kept for nobody, whatever was kept before', async () => {
  const { state, get } = site()
  await get('/pages/a')
  for (let time = 0; time < 2; time++) assert.equal((await get('/pages/none')).statusCode, 404)
  assert.equal((await get('/pages/a?preview=too-long')).statusCode, 400)
  assert.equal((await get('/pages/a?preview=1&preview=2')).statusCode, 400)
  assert.equal(state.made, 3)
})

test('no path can pass for another path with a query, neither where it is kept nor while it is made', async () => {
  const { state, get } = site()
  // In the words of a key whose parts were only parted by line breaks.
  const hostile = `/pages/${encodeURIComponent('a\npreview\n"1"')}`
  const [own, other] = await Promise.all([get('/pages/a?preview=1'), get(hostile)])
  assert.equal(own.json().slug, 'a')
  assert.equal(other.json().slug, 'a\npreview\n"1"')
  assert.match(String(other.headers['cache-control']), /^public/)
  assert.equal(state.made, 2)
})

test('what time itself changes is made anew at that moment', async () => {
  const { state, get } = site()
  state.validUntil = new Date(parts.clock.now().getTime())
  await get('/pages/a')
  await get('/pages/a')
  assert.equal(state.made, 2)
})

test('memory for prepared answers is bounded: what was read last stays', async () => {
  const { state, get } = site({ cacheBytesMax: 60_000 })
  const read = async (slug: string) => {
    const before = state.made
    await get(`/pages/${slug}`, { 'accept-encoding': 'br' })
    return state.made > before ? 'made' : 'kept'
  }
  for (let page = 0; page < 100; page++) {
    await read(String(page))
    await read('often')
  }
  assert.equal(await read('often'), 'kept')
  assert.equal(await read('99'), 'kept')
  assert.equal(await read('0'), 'made')
})

test('memory for prepared answers is bounded by the words of their addresses, too', async () => {
  const { state, get } = site({ cacheBytesMax: 100_000 })
  state.text = 'short'
  const address = (page: number) => `/pages/${page}-${'x'.repeat(400)}`
  // 45 answers of 1,500 bytes would fit; with 800 bytes for each address they do not.
  for (let page = 0; page < 45; page++) await get(address(page))
  state.made = 0
  for (let page = 44; page >= 0; page--) await get(address(page))
  assert.ok(state.made > 0)
})

test('others may keep an answer for as long as the operator says', async () => {
  const { get } = site({ maxAgeSeconds: 30 })
  assert.equal((await get('/pages/a')).headers['cache-control'], 'public, max-age=30, must-revalidate')
})

test('no address is answered with what was prepared for another one, however it is written', async () => {
  const { get } = site()
  const made = await get('/pages/a?preview=')
  assert.equal(made.statusCode, 200)
  const lookalike = await get(`/pages/a${encodeURIComponent('\npreview\n""')}`)
  assert.notEqual(lookalike.json().slug, 'a')
})
