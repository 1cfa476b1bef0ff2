import { notFound } from '../../kernel/refusal.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { renderSitemapIndex, renderUrlSet, type SitemapEntry, urlsPerFileMax } from './sitemap.rules.ts'

/**
 * The public addresses of one kind of page, in a stable order. `after` is the path of the last entry of the previous
 * answer. Fewer than `limit` entries means that these are the last.
 */
export type SitemapSource = (
  platform: PlatformScope,
  ask: { after: string | null; limit: number },
) => Promise<SitemapEntry[]>

export type SitemapDeps = { sources: () => SitemapSource[]; urlsMax?: number }

/** Entries per query. */
const chunkMax = 1000

export type Sitemaps = ReturnType<typeof sitemapService>

/** Reads all sources in order; holds at most one file's addresses in memory. */
export function sitemapService({ sources, urlsMax = urlsPerFileMax }: SitemapDeps) {
  /** All addresses if they fit into one file, else the index of the files. */
  async function whole(platform: PlatformScope, site: string): Promise<string> {
    let first: SitemapEntry[] = []
    const parts: Date[] = []
    for await (const part of partsOf(platform)) {
      if (parts.length === 0) first = part
      parts.push(newestChange(part))
    }
    return parts.length > 1 ? renderSitemapIndex(site, parts) : renderUrlSet(site, first)
  }

  /** One of the files, counted from 1. Refuses with NOT_FOUND. */
  async function file(platform: PlatformScope, site: string, number: number): Promise<string> {
    let count = 0
    for await (const part of partsOf(platform)) {
      count += 1
      if (count === number) return renderUrlSet(site, part)
    }
    throw notFound()
  }

  async function* partsOf(platform: PlatformScope): AsyncGenerator<SitemapEntry[]> {
    let part: SitemapEntry[] = []
    for (const source of sources()) {
      let after: string | null = null
      for (let isMore = true; isMore; ) {
        const limit = Math.min(chunkMax, urlsMax - part.length)
        const entries: SitemapEntry[] = await source(platform, { after, limit })
        part.push(...entries)
        after = entries.at(-1)?.path ?? after
        isMore = entries.length === limit
        if (part.length >= urlsMax) {
          yield part
          part = []
        }
      }
    }
    if (part.length > 0) yield part
  }

  return { whole, file }
}

function newestChange(entries: SitemapEntry[]): Date {
  return new Date(entries.reduce((newestMs, { lastModified }) => Math.max(newestMs, lastModified.getTime()), 0))
}
