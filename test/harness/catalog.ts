import { type CatalogDeps, catalog } from '../../src/catalog/index.ts'
import { newId } from '../../src/kernel/ids.ts'
import { run, sql } from '../../src/storage/query.ts'
import { type Call, type Reply, type TestApp, testSecrets, unique } from './app.ts'

export type TestProduct = { id: string; slug: string }

/** A catalog on the app's database. Its dependencies do nothing, except those that a test passes. */
export function catalogWith(app: TestApp, dependencies: Partial<CatalogDeps>) {
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
    ...dependencies,
  })
}

/** Creates products for one test, and calls the administrator's routes of their children. */
export function catalogCalls(app: TestApp) {
  const call = (url: string, rest: Omit<Call, 'url'> = {}): Promise<Reply> =>
    app.call({ ...rest, url, headers: { ...app.admin, ...rest.headers } })
  const childrenPath = ({ id }: TestProduct, kind: string) => `/admin/products/${id}/${kind}`

  return {
    async product(overrides: { status?: string } = {}): Promise<TestProduct> {
      const product = { id: newId(new Date()), slug: unique('product') }
      // Older than the built-in products, which other tests expect on the first page.
      const createdAt = new Date('2020-01-01')
      await run(
        app.platform,
        sql`insert into products (id, slug, name, tagline, description, type, status, created_at, updated_at)
          values (${product.id}, ${product.slug}, 'Test product', 'Of a test.', 'It is.', 'APP', ${overrides.status ?? 'LIVE'}, ${createdAt}, ${createdAt})`,
      )
      return product
    },
    list: (product: TestProduct, kind: string, query = '') => call(`${childrenPath(product, kind)}${query}`),
    get: (product: TestProduct, kind: string, id: string) => call(`${childrenPath(product, kind)}/${id}`),
    add: (product: TestProduct, kind: string, body: unknown) =>
      call(childrenPath(product, kind), { method: 'POST', body }),
    change: (
      product: TestProduct,
      kind: string,
      { id, body, ifMatch }: { id: string; body: unknown; ifMatch?: string },
    ) =>
      call(`${childrenPath(product, kind)}/${id}`, {
        method: 'PATCH',
        body,
        headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
      }),
    remove: (product: TestProduct, kind: string, id: string, ifMatch?: string) =>
      call(`${childrenPath(product, kind)}/${id}`, {
        method: 'DELETE',
        headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
      }),
  }
}
