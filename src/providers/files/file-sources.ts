import { fieldAt, listAt, textAt } from '../answer-fields.ts'
import { notionHeaders } from '../notion.ts'
import { bearerRequest, type ProviderRequest } from '../provider.ts'
import type { ReceivedAnswer } from '../provider-http.ts'
import { ReadFailure, requireAnswer } from '../read-failure.ts'
import { blockLine, pageTitle } from './notion-text.ts'

export type FileCall = (
  toRequest: (accessToken: string) => ProviderRequest,
  bytesMax?: number,
) => Promise<ReceivedAnswer>

export type SourceFile = { filename: string; contentType: string; bytes: Buffer }
/** `version` changes with the content. `read`: null for what is too large. */
export type FoundFile = { title: string; version: string; read(): Promise<SourceFile | null> }

/** Null: it is deleted, in the bin, or no longer shared with the account. Throws ReadFailure. */
export type FileSource = (call: FileCall, fileId: string) => Promise<FoundFile | null>

const fileBytesMax = 25 * 1024 * 1024

const drive = 'https://www.googleapis.com/drive/v3/files'
/** Google's own kinds have no bytes: they are exported. */
const exports: Record<string, { type: string; ending: string }> = {
  'application/vnd.google-apps.document': { type: 'text/markdown', ending: '.md' },
  'application/vnd.google-apps.spreadsheet': { type: 'text/csv', ending: '.csv' },
  'application/vnd.google-apps.presentation': {
    type: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    ending: '.pptx',
  },
}

/** https://developers.google.com/workspace/drive/api/reference/rest/v3/files */
const google: FileSource = async (call, fileId) => {
  const url = `${drive}/${encodeURIComponent(fileId)}`
  const fields = 'id,name,mimeType,modifiedTime,trashed,size'
  const answer = await call((token) => bearerRequest(token, `${url}?fields=${fields}&supportsAllDrives=true`))
  if (answer.status === 404 || fieldAt(answer.body, 'trashed') === true) return null
  requireAnswer(answer)
  const title = textAt(answer.body, 'name') ?? fileId
  const mimeType = textAt(answer.body, 'mimeType') ?? ''
  const exported = exports[mimeType]
  return {
    title,
    version: textAt(answer.body, 'modifiedTime') ?? '',
    read: async () => {
      if (Number(textAt(answer.body, 'size') ?? 0) > fileBytesMax) return null
      const content = exported
        ? `${url}/export?mimeType=${encodeURIComponent(exported.type)}`
        : `${url}?alt=media&supportsAllDrives=true`
      const file = await call((token) => bearerRequest(token, content, { accept: '*/*' }), fileBytesMax)
      requireAnswer(file)
      return {
        filename: exported ? `${title}${exported.ending}` : title,
        contentType: exported?.type ?? mimeType,
        bytes: file.bytes,
      }
    },
  }
}

const notionApi = 'https://api.notion.com/v1'
const blocksMax = 5_000
const depthMax = 5
const requestsMax = 200

/** https://developers.notion.com/reference/retrieve-a-page, as Markdown. */
const notion: FileSource = async (call, fileId) => {
  const page = await call((token) =>
    bearerRequest(token, `${notionApi}/pages/${encodeURIComponent(fileId)}`, notionHeaders),
  )
  const isInBin = fieldAt(page.body, 'archived') === true || fieldAt(page.body, 'in_trash') === true
  if (page.status === 404 || isInBin) return null
  requireAnswer(page)
  const title = pageTitle(page.body) || 'Page'
  return {
    title,
    version: textAt(page.body, 'last_edited_time') ?? '',
    read: async () => {
      const lines = await notionLines(call, fileId)
      const bytes = Buffer.from(`# ${title}\n\n${lines.join('\n\n')}\n`)
      return { filename: `${title}.md`, contentType: 'text/markdown', bytes }
    },
  }
}

/** The blocks in their order, each before those inside it. */
async function notionLines(call: FileCall, pageId: string): Promise<string[]> {
  const lines: string[] = []
  let requests = 0

  async function readChildren(id: string, depth: number): Promise<void> {
    let cursor: string | null = null
    do {
      requests += 1
      if (requests > requestsMax) throw new ReadFailure('TOO_LARGE')
      const from: string = cursor === null ? '' : `&start_cursor=${encodeURIComponent(cursor)}`
      const url = `${notionApi}/blocks/${encodeURIComponent(id)}/children?page_size=100${from}`
      const answer = await call((token) => bearerRequest(token, url, notionHeaders))
      requireAnswer(answer)
      for (const block of listAt(answer.body, 'results')) {
        const line = blockLine(block)
        if (line !== null) lines.push(line)
        if (lines.length > blocksMax) throw new ReadFailure('TOO_LARGE')
        // A page inside is a page of its own.
        const isNested = fieldAt(block, 'has_children') === true && textAt(block, 'type') !== 'child_page'
        if (isNested && depth < depthMax) await readChildren(textAt(block, 'id') ?? '', depth + 1)
      }
      cursor = fieldAt(answer.body, 'has_more') === true ? textAt(answer.body, 'next_cursor') : null
    } while (cursor !== null)
  }

  await readChildren(pageId, 0)
  return lines
}

export const fileSources = { google, notion }
