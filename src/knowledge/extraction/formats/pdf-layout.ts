import type { BlockList } from '../block-list.ts'

/** A piece of a line as PDF.js gives it, mostly some words. The transform's last numbers are where its baseline begins. */
export type PageItem = { str: string; transform: number[]; width: number; height: number; hasEOL: boolean }

export function addPage(items: PageItem[], { page, list }: { page: number; list: BlockList }): void {
  const text = items.map(({ str, hasEOL }) => (hasEOL ? `${str}\n` : str)).join('')
  for (const paragraph of text.split('\n\n')) list.add({ kind: 'paragraph', page, text: paragraph })
}
