import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { freshDatabase, upgradedFrom } from '../../../test/harness/database.ts'
import { newId } from '../../kernel/ids.ts'
import type { Database } from '../../storage/database.ts'

type OldProduct = {
  slug: string
  name: string
  tagline: string
  description: string
  type: string
  status: string
  label: string | null
  isFeatured: boolean
  features: object[]
  plans: object[]
}

/** The products as the previous version stored them. */
const oldSeeds: OldProduct[] = [
  {
    slug: 'vault-vpn',
    name: 'Vault VPN',
    type: 'APP',
    status: 'LIVE',
    label: null,
    isFeatured: true,
    tagline: 'WireGuard for your customers, gated by licenses.',
    description:
      'Register devices, hand out WireGuard configuration files and start sessions under `/vault/v1`. Every session takes one use of a license; an SDK can validate a license key before it connects.',
    features: [
      {
        title: 'Stock WireGuard apps',
        description: 'A .conf file or QR code for each device; no client of our own to install.',
      },
      { title: 'IPv4 and IPv6', description: 'Every device has one address of each, never given twice.' },
      {
        title: 'Keys stay yours',
        description: 'Send a public key and no private key is ever held here; otherwise it is kept encrypted.',
      },
      {
        title: 'Licensed sessions',
        description: 'Exactly one use a session, however many requests race for the last one.',
      },
    ],
    plans: [
      {
        name: 'TRIAL',
        description: 'Five connections to try it out; made by itself at the first connect.',
        maxUses: 5,
      },
      { name: 'STARTER', description: 'One hundred connections unless agreed otherwise.', maxUses: 100 },
      { name: 'PRO', description: 'Unlimited connections.', maxUses: null },
      { name: 'ENTERPRISE', description: 'Unlimited connections, custom configuration and an SLA.', maxUses: null },
    ],
  },
  {
    slug: 'assistant-ai',
    name: 'Meeting Assistant',
    type: 'APP',
    status: 'BETA',
    label: null,
    isFeatured: true,
    tagline: 'Transcripts in, summaries out.',
    description:
      'Stores meetings with their transcripts and settings and summarises them, under `/assistant/v1`. In beta.',
    features: [
      {
        title: 'Two lengths',
        description: 'A summary of 4 to 6 sentences, or one of 400 to 700 words with a part for each person.',
      },
      { title: 'Personalities', description: 'The tone can be supportive or challenging; the facts stay the same.' },
    ],
    plans: [],
  },
  {
    slug: 'editing-sdk',
    name: 'Editing SDK',
    type: 'SDK',
    status: 'COMING_SOON',
    isFeatured: false,
    label: 'development',
    tagline: 'Editing for a cross-platform UI toolkit.',
    description:
      'An SDK in development. What is there today is license validation: `POST /vault/v1/licenses/validate`.',
    features: [{ title: 'License validation', description: 'Validate a key, or take one use of it in the same call.' }],
    plans: [],
  },
]

/** A database of the previous version with these products, opened by this version. */
function upgraded(products: OldProduct[]): Promise<Database> {
  return upgradedFrom('0010', async (client) => {
    for (const it of products) {
      await client.query(
        `insert into products (id, slug, name, tagline, description, type, status, status_label, is_featured, features, plans, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, $11::jsonb, $12, $12)`,
        [
          ...[newId(new Date()), it.slug, it.name, it.tagline, it.description, it.type, it.status, it.label],
          ...[
            it.isFeatured,
            JSON.stringify(it.features),
            JSON.stringify(it.plans),
            new Date('2026-03-01T10:00:00.123Z'),
          ],
        ],
      )
    }
  })
}

async function shownBy(app: TestApp) {
  return (await app.call({ url: '/products?limit=100' })).body.products
}

/** Leaves out what differs between installations. */
function withoutIdentity(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, member) => (name === 'id' || /.At$/.test(name) ? !!member : member))
}

const manage = (app: TestApp, method: string, path: string, body?: object) =>
  app.call({ method, url: `/admin/products${path}`, headers: app.admin, ...(body ? { body } : {}) })

describe('the built-in products', () => {
  // Each is created once for all its tests, because creating it takes longer than they do.
  let [older, newer]: Database[] = []
  before(async () => {
    older = await upgraded(oldSeeds)
    newer = await freshDatabase()
  })
  after(() => Promise.all([older?.close(), newer?.close()]))

  test('exist once, however many nodes start at once', async () => {
    const apps = await Promise.all([1, 2, 3].map(() => testApp({ database: newer as Database })))
    const products = await shownBy(apps[0] as TestApp)
    assert.equal(products.length, 3)
    assert.deepEqual(
      products[0].features.map(({ order }: { order: number }) => order),
      products[0].features.map((_: unknown, index: number) => index),
    )
  })

  test('an upgraded installation has the same products as a new one', async () => {
    const was = await shownBy(await testApp({ database: older as Database }))
    const is = await shownBy(await testApp({ database: newer as Database }))
    assert.deepEqual(withoutIdentity(was), withoutIdentity(is))
    assert.deepEqual(
      was.map(({ slug }: { slug: string }) => slug),
      ['vault-vpn', 'assistant-ai', 'editing-sdk'],
    )
    assert.equal(was[0].launchedAt, '2026-03-01T10:00:00.123Z')
    assert.equal(was[0].plans.length, 4)
  })

  test('features and plans of other products, and of changed ones, are migrated unchanged', async (t) => {
    const own: OldProduct = {
      slug: 'own',
      name: 'Own',
      tagline: '',
      description: 'A *text*.',
      type: 'API',
      status: 'LIVE',
      label: null,
      isFeatured: false,
      features: [{ title: 'Second' }, { title: 'First', description: 'D' }],
      plans: [{ name: 'Pro plan!', maxUses: 7 }, { name: 'PRO  PLAN' }, { name: '', description: 'x' }],
    }
    const edited = { ...(oldSeeds[1] as OldProduct), tagline: 'Edited.' }
    const database = await upgraded([own, edited])
    t.after(() => database.close())
    const app = await testApp({ database })
    const products = await shownBy(app)
    const find = (slug: string) => products.find((product: { slug: string }) => product.slug === slug)
    const { features, plans, descriptionHtml } = find('own')
    assert.match(descriptionHtml, /^<p>A /)
    assert.deepEqual(
      features.map(({ title, description, order }: Record<string, unknown>) => [title, description, order]),
      [
        ['Second', '', 0],
        ['First', 'D', 1],
      ],
    )
    assert.deepEqual(
      plans.map(({ code, name, maxUses }: Record<string, unknown>) => [code, name, maxUses]),
      [
        ['PRO_PLAN', 'Pro plan!', 7],
        ['PRO_PLAN_2', 'PRO  PLAN', null],
        ['PLAN', '', null],
      ],
    )
    assert.match(features[0].id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(
      Number.parseInt(features[0].id.replace('-', '').slice(0, 12), 16),
      Date.parse('2026-03-01T10:00:00.123Z'),
    )
    assert.deepEqual([find('assistant-ai').tagline, find('assistant-ai').features.length], ['Edited.', 2])
    const { id } = find('own')
    assert.equal((await manage(app, 'PATCH', `/${id}/features/${features[0].id}`, { order: 1 })).status, 200)
  })

  for (const [what, open] of [
    ['a new installation', () => newer as Database],
    ['an upgraded one', () => older as Database],
  ] as const) {
    test(`what an administrator made of them in ${what} survives every start`, async () => {
      const database = open()
      const app = await testApp({ database })
      const [vpn, assistant] = await shownBy(app)
      await manage(app, 'PATCH', `/${vpn.id}/features/${vpn.features[0].id}`, { title: 'Changed' })
      await manage(app, 'DELETE', `/${vpn.id}/features/${vpn.features[1].id}`)
      for (const { id } of vpn.plans) await manage(app, 'DELETE', `/${vpn.id}/plans/${id}`)
      await manage(app, 'PATCH', `/${assistant.id}`, { tagline: 'Mine.', status: 'live' })
      const before = await shownBy(app)
      const restarted = await shownBy(await testApp({ database }))
      assert.deepEqual(restarted, before)
      const changed = restarted.find(({ slug }: { slug: string }) => slug === 'vault-vpn')
      assert.deepEqual([changed.features[0].title, changed.plans], ['Changed', []])
      assert.equal(changed.features.length, vpn.features.length - 1)
    })
  }
})
