/** `id` is the anchor of the heading in `html`. */
export type TocEntry = { id: string; text: string; level: number }

/** The plain text below one heading. `anchor` is null before the first heading. */
export type Passage = { anchor: string | null; heading: string; text: string }

export type RenderedText = { html: string; toc: TocEntry[]; wordCount: number; passages: Passage[] }

/** Turns texts into HTML that is safe in any page. Implemented in `text/markup.ts`. */
export type MarkupRenderer = {
  renderMarkdown(markdown: string): Promise<RenderedText>
  cleanHtml(html: string): Promise<string>
}
