import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { picture, upload } from '../../../test/harness/media.ts'
import { findHashes } from './media-address.rules.ts'

let app: TestApp
before(async () => {
  app = await testApp()
})

const manage = async (method: string, path: string, body?: object) => {
  const reply = await app.call({ method, url: `/admin${path}`, headers: app.admin, ...(body ? { body } : {}) })
  assert.ok(reply.status < 300, JSON.stringify(reply.body))
  return reply.body
}
const usersOf = async (id: string) =>
  (await manage('GET', `/cms/media/${id}`)).media.usedBy.map(({ kind, label }: Record<string, string>) => [kind, label])

describe('a file that a text shows by its address', () => {
  test('is in use by whose text it is, and only as long as it stands there', async () => {
    const { media } = (await upload(app, { bytes: await picture(320, 200), name: 'a.png' })).body
    const shown = `Look: ![it](${media.url})`
    const scaled = `<img src="https://site.example${media.variants.sm.url}">`
    const slug = unique('shown')
    const { product } = await manage('POST', '/products', { slug, name: 'P', type: 'app', description: shown })
    const doc = { slug: 'intro', title: 'Intro', markdown: shown }
    const { doc: made } = await manage('POST', `/products/${product.id}/docs`, doc)
    const sections = [{ type: 'rich_text', content: { markdown: shown } }]
    const { page } = await manage('POST', '/cms/pages', { slug, title: 'P', sections })
    const { block } = await manage('POST', '/cms/blocks', { key: slug, type: 'markdown', value: scaled })
    const { slot } = await manage('POST', '/cms/slots', { slug, kind: 'CTA_BLOCK', title: 'T', body: shown })
    const users = [
      ['block', slug],
      ['doc', `${slug} intro`],
      ['page', slug],
      ['product', slug],
      ['slot', slug],
    ]
    assert.deepEqual(await usersOf(media.id), users)
    const removal = { method: 'DELETE', url: `/admin/cms/media/${media.id}`, headers: app.admin }
    assert.equal((await app.call(removal)).status, 409)
    await manage('PATCH', `/products/${product.id}/docs/${made.id}`, { title: 'Introduction' })
    assert.deepEqual(await usersOf(media.id), users)
    await manage('PUT', `/cms/pages/${page.id}`, { sections: [] })
    await manage('PATCH', `/cms/blocks/${block.id}`, { value: 'Nothing to see.' })
    await manage('DELETE', `/cms/slots/${slot.id}`)
    await manage('PATCH', `/products/${product.id}`, { description: 'Nothing to see.' })
    assert.deepEqual(await usersOf(media.id), [['doc', `${slug} intro`]])
    await manage('DELETE', `/products/${product.id}`)
    assert.deepEqual(await usersOf(media.id), [])
    assert.equal((await app.call(removal)).status, 204)
  })

  test('may be one that is not there: the text is taken as it stands', async () => {
    const value = `![gone](/media/${'0'.repeat(32)}/gone.png)`
    await manage('POST', '/cms/blocks', { key: unique('gone'), type: 'markdown', value })
  })

  test('is found in a value of any form', () => {
    const [a, b] = ['a'.repeat(32), 'b'.repeat(32)]
    assert.deepEqual(findHashes({ x: [`/media/${a}/1.png "/media/${b}/2.png"`, null, `/media/${a}/3.png`] }), [a, b])
    for (const none of [undefined, null, 5, `/media/${a}`, `/media/${a}0/x`]) assert.deepEqual(findHashes(none), [])
  })
})
