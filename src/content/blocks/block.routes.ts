import { admin, open } from '../../http/access/access.ts'
import { type Answer, created, noContent, ok } from '../../http/answer.ts'
import { withETag } from '../../http/cache/precondition.ts'
import { type Route, route } from '../../http/route.ts'
import { ruleFor } from '../../kernel/field-rules.ts'
import { toPagination } from '../../kernel/paging.ts'
import { invalidField, notFound } from '../../kernel/refusal.ts'
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
import { blockRules, readLocaleAt } from './block-input.ts'

const tag = 'Content administration'
const keyParam = { key: BlockKey }

export function blockRoutes(blocks: Blocks): Route[] {
  return [...publicRoutes(), ...readRoutes(), ...createRoutes(blocks), ...changeRoutes(blocks)]
}

function publicRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/cms/blocks',
      name: 'listPublicBlocks',
      tag: 'Content',
      summary: 'Get content blocks',
      description: 'Sorted by key, for one locale. Keys without a block in that locale are left out.',
      access: open('content blocks are public'),
      query: PublicBlockQuery,
      answers: { 200: PublicBlockList },
      cache: { maxAgeSeconds: 0 },
      rules: ({ query: { keys, locale } }) => [ruleFor(keys, readKeys), ruleFor(locale, refuseLocale)],
      handle: async ({ platform, query: { page = 1, limit = 20, keys, locale } }) => {
        const filter = { keys: readKeys(keys), locale: readLocaleAt(locale, '/query/locale') }
        const { items, total } = await listPublicBlocks(platform, filter, { page, limit })
        return ok({ blocks: items.map(publicBlockView), pagination: toPagination({ page, limit }, total) })
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
        const locale = readLocaleAt(query.locale, '/query/locale')
        return ok({ block: publicBlockView(await getPublicBlock(platform, { key, locale })) })
      },
    }),
  ]
}

function readRoutes(): Route[] {
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
      rules: ({ query: { locale } }) => [ruleFor(locale, refuseLocale)],
      handle: async ({ platform, query: { page = 1, limit = 20, q = null, prefix = null, locale, type = null } }) => {
        const filter = { q, prefix, type, locale: locale === undefined ? null : readLocaleAt(locale, '/query/locale') }
        const { items, total } = await listBlocks(platform, filter, { page, limit })
        return ok({ blocks: items.map(blockView), pagination: toPagination({ page, limit }, total) })
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
      handle: async ({ platform, params }) => withEntityTag(await getBlock(platform, params.blockId), ok),
    }),
  ]
}

function createRoutes(blocks: Blocks): Route[] {
  return [
    route({
      method: 'POST',
      path: '/admin/cms/blocks',
      name: 'createBlock',
      tag,
      summary: 'Create a content block',
      access: admin('EDITOR'),
      body: NewBlock,
      answers: { 201: BlockDetail },
      refusals: ['STATE_CONFLICT'],
      idempotent: true,
      rules: ({ body }) => [
        ruleFor(body.locale, (locale) => readLocaleAt(locale, '/body/locale')),
        ...blockRules(body),
      ],
      handle: async ({ platform, body }) => {
        const block = await blocks.create(platform, body)
        return withEntityTag(block, (answer) => created(blockUrl(block), answer))
      },
    }),
    route({
      method: 'PUT',
      path: '/admin/cms/blocks/by-key/:key',
      name: 'putBlock',
      tag,
      summary: 'Create or replace the content block of a key',
      description: 'Idempotent. An absent `description` is removed. With `If-Match` the block must exist.',
      access: admin('EDITOR'),
      params: keyParam,
      query: LocaleQuery,
      body: BlockContent,
      answers: { 200: BlockDetail, 201: BlockDetail },
      conditional: true,
      rules: ({ query, body }) => [ruleFor(query.locale, refuseLocale), ...blockRules(body)],
      handle: async ({ platform, params: { key }, query: { locale }, body, headers }) => {
        const put = { key, locale, asked: body, ifMatch: headers['if-match'] }
        const { block, isNew } = await blocks.put(platform, put)
        return isNew ? withEntityTag(block, (answer) => created(blockUrl(block), answer)) : withEntityTag(block, ok)
      },
    }),
  ]
}

function changeRoutes(blocks: Blocks): Route[] {
  return [
    route({
      method: 'PATCH',
      path: '/admin/cms/blocks/:blockId',
      name: 'updateBlock',
      tag,
      summary: 'Change a content block',
      description: 'To change the `type`, send a `value` of the new type.',
      access: admin('EDITOR'),
      body: BlockChange,
      answers: { 200: BlockDetail },
      conditional: true,
      rules: ({ body }) => blockRules(body),
      handle: async ({ platform, params, body, headers }) =>
        withEntityTag(await blocks.update(platform, params.blockId, { asked: body, ifMatch: headers['if-match'] }), ok),
    }),
    route({
      method: 'DELETE',
      path: '/admin/cms/blocks/:blockId',
      name: 'deleteBlock',
      tag,
      summary: 'Delete a content block',
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

function blockUrl({ id }: Block): string {
  return `/admin/cms/blocks/${id}`
}

/** Adds the entity tag for `If-Match`. */
function withEntityTag<A extends Answer>(block: Block, answerOf: (answer: { block: BlockAnswer }) => A): A {
  return withETag(answerOf({ block: blockView(block) }), block)
}

function publicBlockView({ key, locale, type, value, html, updatedAt }: Block): PublicBlock {
  return { key, locale, type, value, html, updatedAt: updatedAt.toISOString() }
}

function blockView(block: Block): BlockAnswer {
  const { id, description, revision, createdAt } = block
  return { id, ...publicBlockView(block), description, revision, createdAt: createdAt.toISOString() }
}

function refuseLocale(text: string): void {
  readLocaleAt(text, '/query/locale')
}

function readKeys(text: string | undefined): string[] | null {
  if (text === undefined) return null
  const keys = text.split(',').map((key) => key.trim())
  if (keys.length > keysMax)
    throw invalidField('/query/keys', { code: 'maxItems', message: `must list at most ${keysMax} keys` })
  const wrong = keys.find((key) => !isBlockKey(key))
  if (wrong === undefined) return keys
  throw invalidField('/query/keys', { code: 'pattern', message: `contains an invalid key: "${wrong.slice(0, 64)}"` })
}
