import { randomUUID } from 'node:crypto'
import { type Call, jsonOf, ok, type Reply, type Routes } from '../call.ts'
import type { Controls, World } from '../emulator.ts'
import { searchIndex } from '../lag.ts'
import type { Grant } from '../oauth/grant.ts'
import { pageOf, pageSize } from '../paging.ts'

type Block = { id: string; type: string; content: Record<string, unknown>; children: Block[] }
type Page = {
  id: string
  parent: Record<string, unknown>
  properties: Record<string, unknown>
  blocks: Block[]
  isArchived: boolean
  createdAt: Date
  editedAt: Date
}

type Title = { text?: { content?: string } }[]

type Api = (handle: (call: Call, grant: Grant) => Reply) => (call: Call) => Reply | Promise<Reply>

const childrenMax = 100
const textLengthMax = 2_000

const refusal = (status: number, code: string, message: string): Reply => ({
  status,
  body: { object: 'error', status, code, message },
})
const missing = refusal(
  404,
  'object_not_found',
  'Could not find page. Make sure the relevant pages are shared with your integration.',
)

/** https://developers.notion.com/reference. Nothing makes a page only once; the search finds it by its title, some time later. */
export function notionPages(world: World, api: Api): { routes: Routes; controls: Controls } {
  const pages = new Map<string, Page>()
  const index = searchIndex(world.clock, 10)

  function create(parent: Record<string, unknown>, properties: Record<string, unknown>, children: unknown): Page {
    const now = world.clock.now()
    const page = {
      id: randomUUID(),
      parent,
      properties,
      blocks: blocksOf(children),
      isArchived: false,
      createdAt: now,
      editedAt: now,
    }
    pages.set(page.id, page)
    return page
  }

  create({ type: 'workspace', workspace: true }, titleOf('Meeting notes'), [])

  const ofPage = (handle: (page: Page, call: Call) => Reply) =>
    api((call) => {
      const page = pages.get(dashed(call.params['id'] ?? ''))
      return page === undefined ? missing : handle(page, call)
    })

  /** The children of a page or of a block, with the page that they belong to. */
  function parentOf(id: string): { page: Page; children: Block[] } | null {
    for (const page of pages.values()) {
      if (page.id === dashed(id)) return { page, children: page.blocks }
      const block = findBlock(page.blocks, dashed(id))
      if (block !== null) return { page, children: block.children }
    }
    return null
  }

  const touch = (page: Page) => {
    page.editedAt = world.clock.now()
  }

  return {
    routes: {
      'POST api.notion.com/v1/pages': api((call) => {
        const { parent, properties, children } = jsonOf(call)
        const problem = childrenProblem(children)
        if (problem !== null) return problem
        const { page_id: parentId } = (parent ?? {}) as { page_id?: string }
        if (parentId !== undefined && !pages.has(dashed(parentId))) return missing
        return ok(shown(create((parent ?? {}) as Page['parent'], (properties ?? {}) as Page['properties'], children)))
      }),
      'GET api.notion.com/v1/pages/:id': ofPage((page) => ok(shown(page))),
      'PATCH api.notion.com/v1/pages/:id': ofPage((page, call) => {
        const { properties, archived, in_trash: inTrash } = jsonOf(call)
        Object.assign(page.properties, properties)
        if (typeof (inTrash ?? archived) === 'boolean') page.isArchived = (inTrash ?? archived) === true
        touch(page)
        return ok(shown(page))
      }),
      'GET api.notion.com/v1/blocks/:id/children': api(({ params, query }) => {
        const parent = parentOf(params['id'] ?? '')
        if (parent === null) return missing
        const size = pageSize(query.get('page_size'), { usual: 100, max: 100 })
        const { page, next } = pageOf(parent.children, query.get('start_cursor'), size)
        return ok({ object: 'list', results: page.map(shownBlock), has_more: next !== null, next_cursor: next })
      }),
      'PATCH api.notion.com/v1/blocks/:id/children': api((call) => {
        const { children } = jsonOf(call)
        const parent = parentOf(call.params['id'] ?? '')
        if (parent === null) return missing
        const problem = childrenProblem(children)
        if (problem !== null) return problem
        const added = blocksOf(children)
        parent.children.push(...added)
        touch(parent.page)
        return ok({ object: 'list', results: added.map(shownBlock) })
      }),
      'DELETE api.notion.com/v1/blocks/:id': api(({ params }) => {
        const id = dashed(params['id'] ?? '')
        for (const page of pages.values()) {
          const found = removeBlock(page.blocks, id)
          if (found === null) continue
          touch(page)
          return ok({ ...shownBlock(found), archived: true, in_trash: true })
        }
        return missing
      }),
      'POST api.notion.com/v1/search': api((call) => {
        const { query, start_cursor: cursor, page_size: size, sort } = jsonOf(call)
        const words = String(query ?? '').toLowerCase()
        const found = [...pages.values()]
          .filter(
            (page) =>
              !page.isArchived && index.isIndexed(page.createdAt) && titleText(page).toLowerCase().includes(words),
          )
          .sort((one, other) => one.editedAt.getTime() - other.editedAt.getTime())
        if ((sort as { direction?: string } | undefined)?.direction !== 'ascending') found.reverse()
        const limit = pageSize(String(size ?? 100), { usual: 100, max: 100 })
        const { page, next } = pageOf(found, (cursor as string | undefined) ?? null, limit)
        return ok({ object: 'list', results: page.map(shown), has_more: next !== null, next_cursor: next })
      }),
    },
    controls: {
      pages: () =>
        [...pages.values()].map((page) => ({
          ...shown(page),
          title: titleText(page),
          blocks: page.blocks.map(shownBlock),
        })),
      /** A person writes a page: `{title, text}`. */
      createPage: ({ title, text }) =>
        shown(create({ type: 'workspace', workspace: true }, titleOf(String(title)), paragraphs(String(text ?? '')))),
      /** A person replaces the text of a page: `{id, title, text, archived}`. */
      editPage: ({ id, title, text, archived }) => {
        const page = pages.get(dashed(String(id)))
        if (page === undefined) throw new Error('there is no such page')
        if (title !== undefined) page.properties = titleOf(String(title))
        if (text !== undefined) page.blocks = blocksOf(paragraphs(String(text)))
        if (archived !== undefined) page.isArchived = archived === true
        touch(page)
        return shown(page)
      },
      setSearchLag: ({ seconds }) => {
        index.lagSeconds = Number(seconds)
      },
    },
  }
}

function childrenProblem(children: unknown): Reply | null {
  if (children === undefined) return null
  if (!Array.isArray(children)) return refusal(400, 'validation_error', 'body.children should be an array.')
  if (children.length > childrenMax)
    return refusal(
      400,
      'validation_error',
      `body.children.length should be ≤ \`${childrenMax}\`, instead was \`${children.length}\`.`,
    )
  const texts = JSON.stringify(children).match(/"content":"(?:[^"\\]|\\.)*"/g) ?? []
  const isLong = texts.some((text) => (JSON.parse(`{${text}}`) as { content: string }).content.length > textLengthMax)
  return isLong ? refusal(400, 'validation_error', `text.content.length should be ≤ \`${textLengthMax}\`.`) : null
}

function blocksOf(children: unknown): Block[] {
  return ((children ?? []) as Record<string, unknown>[]).map((child) => {
    const type = String(child['type'] ?? Object.keys(child).find((key) => key !== 'object'))
    const { children: nested, ...content } = (child[type] ?? {}) as Record<string, unknown>
    return { id: randomUUID(), type, content, children: blocksOf(nested) }
  })
}

function findBlock(blocks: Block[], id: string): Block | null {
  for (const block of blocks) {
    const found = block.id === id ? block : findBlock(block.children, id)
    if (found !== null) return found
  }
  return null
}

function removeBlock(blocks: Block[], id: string): Block | null {
  const position = blocks.findIndex((block) => block.id === id)
  if (position >= 0) return blocks.splice(position, 1)[0] ?? null
  for (const block of blocks) {
    const found = removeBlock(block.children, id)
    if (found !== null) return found
  }
  return null
}

function shownBlock(block: Block) {
  return {
    object: 'block',
    id: block.id,
    type: block.type,
    has_children: block.children.length > 0,
    [block.type]: withPlainText(block.content),
  }
}

/** Notion adds the text without its formatting to what was sent. */
function withPlainText(content: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(content['rich_text'])) return content
  const texts = content['rich_text'] as { text?: { content?: string } }[]
  return { ...content, rich_text: texts.map((it) => ({ type: 'text', ...it, plain_text: it.text?.content ?? '' })) }
}

function shown(page: Page) {
  return {
    object: 'page',
    id: page.id,
    parent: page.parent,
    properties: page.properties,
    archived: page.isArchived,
    in_trash: page.isArchived,
    created_time: page.createdAt.toISOString(),
    last_edited_time: page.editedAt.toISOString(),
    url: `https://www.notion.so/${page.id.replaceAll('-', '')}`,
  }
}

function titleOf(text: string): Record<string, unknown> {
  return { title: { id: 'title', type: 'title', title: [{ type: 'text', text: { content: text }, plain_text: text }] } }
}

/** `title` is a property, or only its list of texts. */
function titleText(page: Page): string {
  const property = page.properties['title'] as Title | { title?: Title } | undefined
  const texts = Array.isArray(property) ? property : (property?.title ?? [])
  return texts.map(({ text }) => text?.content ?? '').join('')
}

function paragraphs(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ type: 'paragraph', paragraph: { rich_text: [{ type: 'text', text: { content: line } }] } }))
}

/** Ids may come without hyphens. */
function dashed(id: string): string {
  return /^[\da-f]{32}$/.test(id) ? id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : id
}
