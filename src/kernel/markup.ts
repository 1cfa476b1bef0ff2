/** `id` is the anchor of the heading in `html`. */
export type TocEntry = { id: string; text: string; level: number }

/** What stands below one heading, as plain text; before the first heading `anchor` is null. */
export type Passage = { anchor: string | null; heading: string; text: string }

export type RenderedText = { html: string; toc: TocEntry[]; wordCount: number; passages: Passage[] }

/** What turns texts into HTML that is safe in any page; `text/markup.ts` says how. */
export type MarkupRenderer = {
  renderMarkdown(markdown: string): Promise<RenderedText>
  cleanHtml(html: string): Promise<string>
}
