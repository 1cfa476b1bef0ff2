export type JsonObject = Record<string, unknown>

export const releasedAt = '2025-01-02T03:04:05.000Z'

/** A product with records in every list. */
export function completeProduct(slug: string, overrides: JsonObject = {}): JsonObject {
  return {
    slug,
    name: 'Photo Lab',
    type: 'service',
    status: 'development',
    description: 'In **one** place.',
    tagline: 'Pictures',
    tags: ['b', 'a', 'b'],
    links: { repo: 'https://git.example/a' },
    sortOrder: 7,
    seo: { title: 'Photos', noindex: true },
    formerSlugs: [`${slug}-old`],
    features: [
      { slug: 'zoom', title: 'Zoom', availability: { PRO: 'much', FREE: false } },
      { slug: 'crop', title: 'Crop' },
    ],
    plans: [{ code: 'pro', name: 'Pro', priceCents: 900, currency: 'eur', interval: 'month' }],
    media: [{ kind: 'VIDEO', url: 'https://video.example/1', caption: 'A tour' }],
    docSections: [
      { slug: 'inner', title: 'Inner', parent: 'outer' },
      { slug: 'outer', title: 'Outer' },
    ],
    docs: [
      { slug: 'second', title: 'Second', markdown: '# Zebras', section: 'inner', status: 'PUBLISHED' },
      { slug: 'first', title: 'First', markdown: 'x <script>', seo: { noindex: true } },
    ],
    versions: [
      { version: 'v1.2.0-beta.1', releasedAt, notes: '- *Fast*', minRequirements: { node: '24', macos: '13' } },
      { version: '1.1.0', releasedAt, yanked: true, yankReason: 'Loses settings.' },
    ],
    downloads: [
      { kind: 'SDK', version: '1.2.0-beta.1', externalUrl: 'https://downloads.example.com/a.tgz' },
      { kind: 'CLI', installCommand: 'npm install @example/a', platform: 'linux', requiresLicense: true },
      { kind: 'CLI', installCommand: 'brew install a', platform: 'linux' },
    ],
    ...overrides,
  }
}
