import { escapeHtml } from '../../kernel/escape-html.ts'
import type { Quote } from './passage.rules.ts'
import type { SearchResultView } from './search.schema.ts'
import type { SearchHit } from './search.service.ts'

type Place = Omit<SearchResultView, 'snippet'>

/** Where a quote stands, as answers show it. */
export function placeView(orgId: string, quote: Quote): Place {
  const { kind, itemId, title, page, headings, speaker, timestamp } = quote
  const isDocument = kind === 'document'
  return {
    kind,
    documentId: isDocument ? itemId : null,
    meetingId: isDocument ? null : itemId,
    version: isDocument ? quote.version : null,
    title,
    page,
    heading: headings,
    seq: isDocument ? null : quote.place,
    speaker,
    timestamp,
    path: isDocument ? `/assistant/v1/orgs/${orgId}/documents/${itemId}` : `/assistant/v1/meetings/${itemId}`,
  }
}

export function hitView(orgId: string, { quote, marks }: SearchHit): SearchResultView {
  return { ...placeView(orgId, quote), snippet: markedHtml(quote.quote, marks) }
}

/** Escaped text; `<mark>` is its only element. `marks` are in order and do not overlap. */
function markedHtml(text: string, marks: readonly (readonly [start: number, end: number])[]): string {
  let html = ''
  let at = 0
  for (const [start, end] of marks) {
    html += `${escapeHtml(text.slice(at, start))}<mark>${escapeHtml(text.slice(start, end))}</mark>`
    at = end
  }
  return html + escapeHtml(text.slice(at))
}
