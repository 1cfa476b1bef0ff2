import type { MarkupRenderer, RenderedText } from '../kernel/markup.ts'
import { Refusal } from '../kernel/refusal.ts'
import { workerPool } from '../workers/worker-pool.ts'

/** In characters. The slowest text of this length that we found, a table of 1,000 rows and 100 columns, took three seconds. */
export const markupLengthMax = 200_000

/** Up to this length the slowest text takes about 50 ms, and for most texts a worker would cost more than it saves. */
const shortLengthMax = 4_000

// The service has one worker for this, and none before the first long text.
const renderingWorker = workerPool<{ kind: 'markdown' | 'html'; text: string }, unknown>({
  entry: new URL('./rendering.worker.ts', import.meta.url),
  timeoutMs: 30_000,
  queueMax: 50,
  overLimit: () => new Refusal('VALIDATION_ERROR', { detail: 'The text takes too long to be rendered. Split it.' }),
})

/**
 * Markdown as HTML that is safe to put into any page: raw HTML in it is text, and the result is cleaned again by
 * `cleanHtml`. To be called when the text is written, not when it is read. Refuses VALIDATION_ERROR past the length.
 */
export async function renderMarkdown(markdown: string): Promise<RenderedText> {
  refuseLong(markdown)
  // A table fills its rows with cells: 2,000 characters can be 60,000 of them.
  if (!isShort(markdown) || markdown.includes('|'))
    return (await renderingWorker.run({ kind: 'markdown', text: markdown })) as RenderedText
  return (await loadRenderers()).markdown(markdown)
}

/** The same of a text that comes with the program: it is known to be quick, and needs no worker of its own. */
export async function renderOwnMarkdown(markdown: string): Promise<RenderedText> {
  return (await loadRenderers()).markdown(markdown)
}

/**
 * HTML of a caller with only the elements, attributes and addresses that are safe in any page; the same when cleaned
 * again. Refuses VALIDATION_ERROR past the length.
 */
export async function cleanHtml(html: string): Promise<string> {
  refuseLong(html)
  return isShort(html)
    ? (await loadRenderers()).html(html)
    : ((await renderingWorker.run({ kind: 'html', text: html })) as string)
}

function isShort(text: string): boolean {
  return text.length <= shortLengthMax
}

/** Loads the renderers with the first text, and yields: between a hundred short texts of one request others are served. */
async function loadRenderers() {
  const { renderers } = await import('./rendering.ts')
  await new Promise((resolve) => setImmediate(resolve))
  return renderers
}

export const markup: MarkupRenderer = { renderMarkdown, cleanHtml }

/** Renders each text once: for work that is first planned and then done under a lock. */
export function memoizedMarkup(): MarkupRenderer {
  const rendered = new Map<string, RenderedText>()
  const cleaned = new Map<string, string>()
  return {
    renderMarkdown: async (text) => rendered.get(text) ?? remember(rendered, text, await renderMarkdown(text)),
    cleanHtml: async (text) => cleaned.get(text) ?? remember(cleaned, text, await cleanHtml(text)),
  }
}

function remember<T>(known: Map<string, T>, text: string, made: T): T {
  known.set(text, made)
  return made
}

function refuseLong(text: string): void {
  if (text.length > markupLengthMax)
    throw new Refusal('VALIDATION_ERROR', { detail: `A text has at most ${markupLengthMax} characters.` })
}
