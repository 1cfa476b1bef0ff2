import { admin, open } from '../../http/access/access.ts'
import { type Answer, created, noContent, ok } from '../../http/answer.ts'
import { revisionETag } from '../../http/cache/precondition.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { invalidField, notFound } from '../../kernel/refusal.ts'
import { localeOf } from './block.reading.ts'
import { type Block, isBlockKey } from './block.rules.ts'
import {
  type BlockAnswer,
  BlockChange,
  BlockContent,
  BlockDetail,
  BlockKey,
  BlockList,
  BlockQuery,
  keysMax,
  LocaleQuery,
  NewBlock,
  type PublicBlock,
  PublicBlockDetail,
  PublicBlockList,
  PublicBlockQuery,
} from './block.schema.ts'
import type { Blocks } from './block.service.ts'
import { getBlock, getPublicBlock, listBlocks, listPublicBlocks } from './block.store.ts'

const tag = 'Content administration'
const keyParam = { key: BlockKey }

export function blockRoutes(blocks: Blocks): Route[] {
  return [...publicRoutes(), ...reading(), ...making(blocks), ...changing(blocks)]
}

function publicRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/cms/blocks',
      name: 'listPublicBlocks',
      tag: 'Content',
      summary: 'Get content blocks',
      description: 'Sorted by key, in one locale. A key without a block in it is not in the list.',
      access: open('content blocks are public'),
      query: PublicBlockQuery,
      answers: { 200: PublicBlockList },
      cache: { maxAgeSeconds: 0 },
      handle: async ({ platform, query: { page = 1, limit = 20, keys, locale } }) => {
        const filter = { keys: readKeys(keys), locale: localeOf(locale, '/query/locale') }
        const { items, total } = await listPublicBlocks(platform, filter, { page, limit })
        return ok({ blocks: items.map(publicBlock), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: '/cms/blocks/:key',
      name: 'getPublicBlock',
      tag: 'Content',
      summary: 'Get a content block',
      access: open('content blocks are public'),
      params: keyParam,
      query: LocaleQuery,
      answers: { 200: PublicBlockDetail },
      cache: { maxAgeSeconds: 0 },
      handle: async ({ platform, params: { key }, query }) => {
        if (!isBlockKey(key)) throw notFound()
        const locale = localeOf(query.locale, '/query/locale')
        return ok({ block: publicBlock(await getPublicBlock(platform, { key, locale })) })
      },
    }),
  ]
}

function reading(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/cms/blocks',
      name: 'listBlocks',
      tag,
      summary: 'List the content blocks',
      access: admin('VIEWER'),
      query: BlockQuery,
      answers: { 200: BlockList },
      handle: async ({ platform, query: { page = 1, limit = 20, q = null, prefix = null, locale, type = null } }) => {
        const filter = { q, prefix, type, locale: locale === undefined ? null : localeOf(locale, '/query/locale') }
        const { items, total } = await listBlocks(platform, filter, { page, limit })
        return ok({ blocks: items.map(adminBlock), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: '/admin/cms/blocks/:blockId',
      name: 'getBlock',
      tag,
      summary: 'Show a content block',
      access: admin('VIEWER'),
      answers: { 200: BlockDetail },
      handle: async ({ platform, params }) => shown(await getBlock(platform, params.blockId), ok),
    }),
  ]
}

function making(blocks: Blocks): Route[] {
  return [
    route({
      method: 'POST',
      path: '/admin/cms/blocks',
      name: 'createBlock',
      tag,
      summary: 'Add a content block',
      access: admin('EDITOR'),
      body: NewBlock,
      answers: { 201: BlockDetail },
      refusals: ['STATE_CONFLICT'],
      idempotent: true,
      handle: async ({ platform, body }) => {
        const block = await blocks.create(platform, body)
        return shown(block, (answer) => created(placeOf(block), answer))
      },
    }),
    route({
      method: 'PUT',
      path: '/admin/cms/blocks/by-key/:key',
      name: 'putBlock',
      tag,
      summary: 'Make or replace the content block of a key',
      description:
        'Sent again it changes nothing. An absent `description` is removed. `If-Match` asks for one to be there.',
      access: admin('EDITOR'),
      params: keyParam,
      query: LocaleQuery,
      body: BlockContent,
      answers: { 200: BlockDetail, 201: BlockDetail },
      conditional: true,
      handle: async ({ platform, params: { key }, query: { locale }, body, headers }) => {
        const put = { key, locale, asked: body, ifMatch: headers['if-match'] }
        const { block, isNew } = await blocks.put(platform, put)
        return isNew ? shown(block, (answer) => created(placeOf(block), answer)) : shown(block, ok)
      },
    }),
  ]
}

function changing(blocks: Blocks): Route[] {
  return [
    route({
      method: 'PATCH',
      path: '/admin/cms/blocks/:blockId',
      name: 'updateBlock',
      tag,
      summary: 'Change a content block',
      description: 'Another `type` needs a `value` of that type.',
      access: admin('EDITOR'),
      body: BlockChange,
      answers: { 200: BlockDetail },
      conditional: true,
      handle: async ({ platform, params, body, headers }) =>
        shown(await blocks.update(platform, params.blockId, { asked: body, ifMatch: headers['if-match'] }), ok),
    }),
    route({
      method: 'DELETE',
      path: '/admin/cms/blocks/:blockId',
      name: 'deleteBlock',
      tag,
      summary: 'Remove a content block',
      access: admin('EDITOR'),
      answers: { 204: null },
      conditional: true,
      handle: async ({ platform, params, headers }) => {
        await blocks.remove(platform, params.blockId, headers['if-match'])
        return noContent()
      },
    }),
  ]
}

function placeOf({ id }: Block): string {
  return `/admin/cms/blocks/${id}`
}

/** With the entity tag that `If-Match` takes. */
function shown<A extends Answer>(block: Block, answerOf: (answer: { block: BlockAnswer }) => A): A {
  const answer = answerOf({ block: adminBlock(block) })
  return { ...answer, headers: { ...answer.headers, etag: revisionETag(block) } }
}

function publicBlock({ key, locale, type, value, html, updatedAt }: Block): PublicBlock {
  return { key, locale, type, value, html, updatedAt: updatedAt.toISOString() }
}

function adminBlock(block: Block): BlockAnswer {
  const { id, description, revision, createdAt } = block
  return { id, ...publicBlock(block), description, revision, createdAt: createdAt.toISOString() }
}

function readKeys(text: string | undefined): string[] | null {
  if (text === undefined) return null
  const keys = text.split(',').map((key) => key.trim())
  if (keys.length > keysMax)
    throw invalidField('/query/keys', { code: 'maxItems', message: `may name ${keysMax} keys at most` })
  const wrong = keys.find((key) => !isBlockKey(key))
  if (wrong === undefined) return keys
  throw invalidField('/query/keys', { code: 'pattern', message: `holds what is no key: "${wrong.slice(0, 64)}"` })
}
