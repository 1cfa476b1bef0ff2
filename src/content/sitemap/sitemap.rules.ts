/** A public page of the site. `path` begins with a slash and is not encoded. */
export type SitemapEntry = { path: string; lastModified: Date }

/** Well below the protocol's 50,000 addresses a file, so that no file takes more than a few megabytes of memory. */
export const urlsMaxOfFile = 10_000

const schema = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** https://www.sitemaps.org/protocol.html */
export function urlSetOf(site: string, entries: SitemapEntry[]): string {
  const lines = entries.map(
    ({ path, lastModified }) =>
      `  <url><loc>${escaped(site + encodeURI(path))}</loc><lastmod>${lastModified.toISOString()}</lastmod></url>`,
  )
  return fileOf('urlset', lines)
}

/** The list of the files that together hold all addresses; `lastModified` of each, in order. */
export function sitemapIndexOf(site: string, parts: Date[]): string {
  const lines = parts.map(
    (lastModified, index) =>
      `  <sitemap><loc>${escaped(`${site}/sitemap.xml?part=${index + 1}`)}</loc><lastmod>${lastModified.toISOString()}</lastmod></sitemap>`,
  )
  return fileOf('sitemapindex', lines)
}

/** What only callers with a credential can use is nothing to search engines. */
export function robotsOf(site: string | null): string {
  const closed = ['/admin/', '/v1/platform/', '/vault/', '/assistant/']
  const lines = ['User-agent: *', ...closed.map((path) => `Disallow: ${path}`)]
  return `${[...lines, ...(site === null ? [] : ['', `Sitemap: ${site}/sitemap.xml`])].join('\n')}\n`
}

/** An address without the slash at its end, so that paths can follow. */
export function siteOf(publicUrl: string): string {
  const { origin, pathname } = new URL(publicUrl)
  return origin + pathname.replace(/\/+$/, '')
}

function fileOf(element: string, lines: string[]): string {
  return `${['<?xml version="1.0" encoding="UTF-8"?>', `<${element} xmlns="${schema}">`, ...lines, `</${element}>`].join('\n')}\n`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;')
}
