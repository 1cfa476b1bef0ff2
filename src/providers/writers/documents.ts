import { escapeHtml } from '../../kernel/escape-html.ts'
import { listAt, textAt } from '../answer-fields.ts'
import { notionHeaders } from '../notion.ts'
import { jsonRequest, type ProviderRequest } from '../provider.ts'
import {
  type LookOutcome,
  type MeetingContent,
  type WriteContext,
  type Writer,
  type Written,
  writeOutcome,
} from './writer.ts'

const notionApi = 'https://api.notion.com/v1'
const blockLetters = 1900
const blocksMax = 90
const pagesMax = 100
const searchesMax = 10

/** The page's first line has the action's id. */
const marker = ({ id }: WriteContext['action']) => `atrium:${id}`

function notionWritten(page: unknown): Written | null {
  const externalId = textAt(page, 'id')
  return externalId === null ? null : { externalId, externalUrl: textAt(page, 'url') }
}

const paragraph = (content: string) => ({
  object: 'block',
  type: 'paragraph',
  paragraph: { rich_text: content === '' ? [] : [{ type: 'text', text: { content } }] },
})

/** A line in pieces that Notion takes. */
function blockTexts(line: string): string[] {
  const letters = [...line]
  const count = Math.max(1, Math.ceil(letters.length / blockLetters))
  return Array.from({ length: count }, (_, at) => letters.slice(at * blockLetters, (at + 1) * blockLetters).join(''))
}

function summaryBlocks(summary: string): object[] {
  return summary.split('\n').flatMap(blockTexts).slice(0, blocksMax).map(paragraph)
}

const notionJson = (context: WriteContext, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  context.call((token) => jsonRequest(token, { method, url: `${notionApi}${path}`, body, headers: notionHeaders }))

export const notionPage: Writer<MeetingContent> = {
  // Its search finds a page some time later.
  lagSeconds: 30,
  write: async ({ title, summary }, context) => {
    const { action } = context
    const answer = await notionJson(context, 'POST', '/pages', {
      parent: { type: 'page_id', page_id: action.target['pageId'] },
      properties: { title: { title: [{ type: 'text', text: { content: title.slice(0, blockLetters) } }] } },
      children: [paragraph(marker(action)), ...summaryBlocks(summary)],
    })
    return writeOutcome(answer, notionWritten)
  },
  // Not by the title: the meeting may have been renamed since.
  look: async (context): Promise<LookOutcome> => {
    const since = new Date(context.sentAt.getTime() - 60_000).toISOString()
    const filter = { property: 'object', value: 'page' }
    const sort = { direction: 'descending', timestamp: 'last_edited_time' }
    let cursor: string | null = null
    for (let read = 0; read < searchesMax; read++) {
      const more = cursor === null ? {} : { start_cursor: cursor }
      const found = await notionJson(context, 'POST', '/search', { filter, sort, page_size: pagesMax, ...more })
      if (found.status >= 300) return { kind: 'unknown' }
      const pages = listAt(found.body, 'results')
      const looked = await lookInPages(
        context,
        pages.filter((page) => (textAt(page, 'created_time') ?? '') >= since),
      )
      if (looked.kind !== 'absent') return looked
      cursor = textAt(found.body, 'next_cursor')
      if (cursor === null || pages.some((page) => (textAt(page, 'last_edited_time') ?? '') < since)) return looked
    }
    return { kind: 'unknown' }
  },
}

async function lookInPages(context: WriteContext, pages: unknown[]): Promise<LookOutcome> {
  for (const page of pages) {
    const written = notionWritten(page)
    if (written === null) continue
    const id = encodeURIComponent(written.externalId)
    const blocks = await notionJson(context, 'GET', `/blocks/${id}/children?page_size=1`)
    if (blocks.status >= 300 && blocks.status !== 404) return { kind: 'unknown' }
    if (JSON.stringify(blocks.body ?? '').includes(marker(context.action))) return { kind: 'found', written }
  }
  return { kind: 'absent' }
}

/** Removes all blocks but the first and writes them again: doing it twice leaves the same page. */
export const notionRewrite: Writer<MeetingContent> = {
  lagSeconds: 0,
  look: null,
  write: async ({ title, summary }, context) => {
    const id = encodeURIComponent(context.action.externalId ?? '')
    const properties = { title: { title: [{ type: 'text', text: { content: title.slice(0, blockLetters) } }] } }
    const page = await notionJson(context, 'PATCH', `/pages/${id}`, { properties })
    if (page.status >= 300) return writeOutcome(page, notionWritten)
    const before = await notionJson(context, 'GET', `/blocks/${id}/children?page_size=100`)
    for (const block of listAt(before.body, 'results').slice(1)) {
      const removed = await notionJson(context, 'DELETE', `/blocks/${encodeURIComponent(textAt(block, 'id') ?? '')}`)
      if (removed.status >= 300 && removed.status !== 404) return { kind: 'unknown' }
    }
    const added = await notionJson(context, 'PATCH', `/blocks/${id}/children`, { children: summaryBlocks(summary) })
    return writeOutcome(added, () => notionWritten(page.body))
  },
}

const driveApi = 'https://www.googleapis.com'
const documentType = 'application/vnd.google-apps.document'

function documentHtml({ title, summary }: MeetingContent): string {
  const paragraphs = summary.split('\n').map((line) => `<p>${escapeHtml(line)}</p>`)
  return `<!doctype html><html><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body><h1>${escapeHtml(title)}</h1>${paragraphs.join('')}</body></html>`
}

function driveWritten(file: unknown): Written | null {
  const externalId = textAt(file, 'id')
  if (externalId === null) return null
  return { externalId, externalUrl: `https://docs.google.com/document/d/${encodeURIComponent(externalId)}/edit` }
}

type Upload = { method: 'POST' | 'PATCH'; path: string; metadata: object; content: MeetingContent }

/** The name and the text of a file in one request. */
function driveUpload(token: string, { method, path, metadata, content }: Upload): ProviderRequest {
  const boundary = 'atrium-part-of-a-file'
  const body = [
    `--${boundary}\r\ncontent-type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(metadata)}`,
    `--${boundary}\r\ncontent-type: text/html; charset=UTF-8\r\n\r\n${documentHtml(content)}`,
    `--${boundary}--\r\n`,
  ].join('\r\n')
  return {
    method,
    url: `${driveApi}/upload/drive/v3${path}?uploadType=multipart&fields=id`,
    headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/related; boundary=${boundary}` },
    body,
  }
}

/** Drive takes no id of ours for a file that becomes a Google document, so a property of the app has the action's id. */
export const googleDocument: Writer<MeetingContent> = {
  lagSeconds: 30,
  write: async (content, { action, call }) => {
    const { folderId } = action.target
    const metadata = {
      name: content.title,
      mimeType: documentType,
      appProperties: { atriumAction: action.id },
      ...(folderId === undefined ? {} : { parents: [folderId] }),
    }
    const answer = await call((token) => driveUpload(token, { method: 'POST', path: '/files', metadata, content }))
    return writeOutcome(answer, driveWritten)
  },
  look: async ({ action, call }): Promise<LookOutcome> => {
    const url = new URL(`${driveApi}/drive/v3/files`)
    url.searchParams.set('q', `appProperties has { key='atriumAction' and value='${action.id}' } and trashed = false`)
    url.searchParams.set('fields', 'files(id)')
    const { status, body } = await call((token) => jsonRequest(token, { method: 'GET', url: url.href }))
    if (status >= 300) return { kind: 'unknown' }
    const written = driveWritten(listAt(body, 'files')[0])
    return written === null ? { kind: 'absent' } : { kind: 'found', written }
  },
}

export const googleRewrite: Writer<MeetingContent> = {
  lagSeconds: 0,
  look: null,
  write: async (content, { action, call }) => {
    const id = encodeURIComponent(action.externalId ?? '')
    const metadata = { name: content.title }
    const answer = await call((token) =>
      driveUpload(token, { method: 'PATCH', path: `/files/${id}`, metadata, content }),
    )
    return writeOutcome(answer, driveWritten)
  },
}
