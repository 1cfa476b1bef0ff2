/** A public page of the site. `path` begins with a slash and is not encoded. */
export type SitemapEntry = { path: string; lastModified: Date }

/** Well below the protocol's 50,000 addresses per file, so that a file needs only a few megabytes of memory. */
export const urlsPerFileMax = 10_000

const schema = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** https://www.sitemaps.org/protocol.html */
export function renderUrlSet(site: string, entries: SitemapEntry[]): string {
  const lines = entries.map(
    ({ path, lastModified }) =>
      `  <url><loc>${escapeXml(site + encodeURI(path))}</loc><lastmod>${lastModified.toISOString()}</lastmod></url>`,
  )
  return xmlFile('urlset', lines)
}

/** The index of all sitemap files; `parts` are their `lastModified` times, in order. */
export function renderSitemapIndex(site: string, parts: Date[]): string {
  const lines = parts.map(
    (lastModified, index) =>
      `  <sitemap><loc>${escapeXml(`${site}/sitemap.xml?part=${index + 1}`)}</loc><lastmod>${lastModified.toISOString()}</lastmod></sitemap>`,
  )
  return xmlFile('sitemapindex', lines)
}

/** Hides routes that need a credential from search engines. */
export function renderRobots(site: string | null): string {
  const closed = ['/admin/', '/v1/platform/', '/vault/', '/assistant/']
  const lines = ['User-agent: *', ...closed.map((path) => `Disallow: ${path}`)]
  return `${[...lines, ...(site === null ? [] : ['', `Sitemap: ${site}/sitemap.xml`])].join('\n')}\n`
}

function xmlFile(element: string, lines: string[]): string {
  return `${['<?xml version="1.0" encoding="UTF-8"?>', `<${element} xmlns="${schema}">`, ...lines, `</${element}>`].join('\n')}\n`
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;')
}
