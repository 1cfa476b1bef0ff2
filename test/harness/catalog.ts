import { type CatalogDeps, catalog } from '../../src/catalog/index.ts'
import { newId } from '../../src/kernel/ids.ts'
import { run, sql } from '../../src/storage/query.ts'
import { type Call, type Reply, type TestApp, testSecrets, unique } from './app.ts'

export type TestProduct = { id: string; slug: string }

/** A catalog over the app's database beside neighbours that do nothing, but for those that a test looks at. */
export function catalogBeside(app: TestApp, neighbours: Partial<CatalogDeps>) {
  const nothing = async () => undefined
  return catalog({
    platform: app.platform,
    clock: app.clock,
    secrets: testSecrets,
    audit: nothing,
    publicChanged: nothing,
    inspectLicense: async () => [],
    findMediaByDigest: async () => new Map(),
    recordVisit: () => undefined,
    media: { find: async () => new Map(), setUses: nothing },
    ...neighbours,
  })
}

/** Products of a test's own, and calls to their records as an administrator. */
export function catalogCalls(app: TestApp) {
  const call = (url: string, rest: Omit<Call, 'url'> = {}): Promise<Reply> =>
    app.call({ ...rest, url, headers: { ...app.admin, ...rest.headers } })
  const recordsOf = ({ id }: TestProduct, kind: string) => `/admin/products/${id}/${kind}`

  return {
    async product(overrides: { status?: string } = {}): Promise<TestProduct> {
      const product = { id: newId(new Date()), slug: unique('product') }
      // Older than those of the first start, which other tests look for on the first page.
      const createdAt = new Date('2020-01-01')
      await run(
        app.platform,
        sql`insert into products (id, slug, name, tagline, description, type, status, created_at, updated_at)
          values (${product.id}, ${product.slug}, 'Test product', 'Of a test.', 'It is.', 'APP', ${overrides.status ?? 'LIVE'}, ${createdAt}, ${createdAt})`,
      )
      return product
    },
    list: (product: TestProduct, kind: string, query = '') => call(`${recordsOf(product, kind)}${query}`),
    get: (product: TestProduct, kind: string, id: string) => call(`${recordsOf(product, kind)}/${id}`),
    add: (product: TestProduct, kind: string, body: unknown) =>
      call(recordsOf(product, kind), { method: 'POST', body }),
    change: (
      product: TestProduct,
      kind: string,
      { id, body, ifMatch }: { id: string; body: unknown; ifMatch?: string },
    ) =>
      call(`${recordsOf(product, kind)}/${id}`, {
        method: 'PATCH',
        body,
        headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
      }),
    remove: (product: TestProduct, kind: string, id: string, ifMatch?: string) =>
      call(`${recordsOf(product, kind)}/${id}`, {
        method: 'DELETE',
        headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
      }),
  }
}
