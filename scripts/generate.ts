import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createApp } from '../src/app.ts'
import { seededSections, seededText } from '../src/catalog/docs/doc.seed.ts'
import { seededProducts } from '../src/catalog/products/product.seed.ts'
import type { RenderedSeeds } from '../src/catalog/rendered-seeds.ts'
import { settings } from '../src/config/config.ts'
import { memoryRateCounter } from '../src/http/limits/rate-limit.ts'
import { systemClock } from '../src/kernel/clock.ts'
import type { DefaultLimits } from '../src/kernel/quota.ts'
import { refusals } from '../src/kernel/refusal.ts'
import { diskBlobs } from '../src/storage/blobs/disk.ts'
import { memoryFanOut } from '../src/storage/fan-out.ts'
import type { Handle } from '../src/storage/handle.ts'
import { createSecrets } from '../src/storage/secrets.ts'
import { renderOwnMarkdown } from '../src/text/markup.ts'
import { eventTypes } from '../src/webhooks/event-types/event-types.ts'
import { sdkFiles } from './sdk/sdk-files.ts'

// Writes what is generated from the code (`openapi/api.json`, `openapi/asyncapi.json`, `docs/errors.md`, the tables of
// `docs/configuration.md`, `docs/webhooks-outbound.md` and `docs/sdk.md`, the HTML of the built-in products, and the operations of
// the SDK), or with --check says what is out of date.

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

const untouched: Handle = {
  inTransaction: false,
  readPipelined: () => Promise.reject(new Error('No database is needed to describe the API.')),
  execute: () => Promise.reject(new Error('No database is needed to describe the API.')),
  transaction: () => Promise.reject(new Error('No database is needed to describe the API.')),
  afterCommit: () => undefined,
}

const { openApi, asyncApi } = createApp({
  version,
  settingReport: { settings: [], warnings: [] },
  database: {
    kind: 'pglite',
    handle: untouched,
    ping: async () => 0,
    snapshot: null,
    stats: () => ({ total: 0, idle: 0, waiting: 0 }),
    close: async () => undefined,
  },
  secrets: createSecrets(randomBytes(32)),
  adminKey: 'only-to-describe-the-api',
  clock: systemClock,
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  requestLog: { slowMs: 1000, sampleOneOf: 0 },
  rateCounter: memoryRateCounter(900),
  rateLimits: { requestsMax: 1000, authFailuresMax: 100, windowSeconds: 900 },
  publicCache: { maxAgeSeconds: 0, cacheBytesMax: 1 },
  fanOut: memoryFanOut(),
  blobs: diskBlobs('nowhere'),
  trustedProxies: [],
  pageOrigins: [],
  door: { isInsecureAllowed: false },
  mail: { smtp: null, publicUrl: null },
  auditRetentionDays: 365,
  analyticsRetentionDays: 90,
  usageDefaultPlan: null,
  meetingHosts: new Map(),
  botVendorEndpoints: new Map(),
  google: { clientIds: [], jwksUrl: 'http://127.0.0.1/' },
  languageModel: null,
  embeddings: null,
  webhooks: { allowPrivate: false },
  integrations: { apps: new Map(), endpoints: new Map(), publicUrl: null },
  tenants: { defaultLimits: {} as DefaultLimits, isPlatformRegistrationOpen: false },
  builtInServer: {
    name: 'built-in',
    region: 'local',
    publicIp: '203.0.113.10',
    endpointHost: '203.0.113.10',
    endpointPort: 51820,
    publicKey: null,
    subnet4: '10.64.0.0/16',
    subnet6: 'fd42:a7:1::/64',
    dns: [],
    mtu: 1420,
    capacity: 100,
  },
})

const errorTable = Object.entries(refusals).map(
  ([code, [status, title, meaning]]) => `| \`${code}\` | ${status} | ${title} | ${meaning} |`,
)
const errors = `# Error codes

Generated from \`src/kernel/refusal.ts\` by \`npm run generate\`. Every error is \`application/problem+json\` (RFC 9457) with one of these in \`code\`.

| code | status | title | meaning |
|---|---|---|---|
${errorTable.join('\n')}
`

const settingRows = Object.values(settings).map(
  ([variable, { defaultValue }, meaning]) => `| \`${variable}\` | ${shown(defaultValue)} | ${meaning} |`,
)
const settingsTable = `| variable | default | meaning |
|---|---|---|
${settingRows.join('\n')}`

const eventRows = Object.entries(eventTypes).map(
  ([type, { description, data }]) =>
    `| \`${type}\` | ${description} | ${Object.keys(data)
      .map((name) => `\`${name}\``)
      .join(', ')} |`,
)
const eventTable = `| event | when | data |
|---|---|---|
${eventRows.join('\n')}`

function shown(value: string | number | Iterable<unknown> | null): string {
  const words = typeof value === 'object' ? [...(value ?? [])].join(',') : String(value)
  return words === '' ? 'none' : `\`${words}\``
}

const seeds: RenderedSeeds = { descriptions: {}, docs: {} }
for (const { product } of seededProducts)
  seeds.descriptions[product.slug] = (await renderOwnMarkdown(product.description)).html
for (const [product, sections] of Object.entries(seededSections))
  for (const { slug } of sections.flatMap(({ docs }) => docs))
    seeds.docs[`${product}/${slug}`] = await renderOwnMarkdown(await seededText(product, slug))

const document = openApi()
const sdk = sdkFiles(JSON.parse(JSON.stringify(document)), Object.keys(refusals))

const generated: [file: string, text: string][] = [
  ['openapi/api.json', `${JSON.stringify(document, null, 2)}\n`],
  ['openapi/asyncapi.json', `${JSON.stringify(asyncApi(), null, 2)}\n`],
  ['src/catalog/rendered-seeds.json', `${JSON.stringify(seeds, null, 2)}\n`],
  ['docs/errors.md', errors],
  ['docs/configuration.md', withSection('docs/configuration.md', 'settings', settingsTable)],
  ['docs/webhooks-outbound.md', withSection('docs/webhooks-outbound.md', 'events', eventTable)],
  ['docs/sdk.md', withSection('docs/sdk.md', 'methods', sdk.table)],
  ...sdk.files,
]

/** The file's text with the generated section between the comments that name it. */
function withSection(file: string, name: string, section: string): string {
  const comments = new RegExp(`(<!-- ${name}: .* -->\\n)[\\s\\S]*(\\n<!-- /${name} -->)`)
  return readContent(file).replace(comments, (_, start, end) => start + section + end)
}

function readContent(file: string): string {
  return readFileSync(fileUrl(file), { encoding: 'utf8', flag: 'a+' })
}

function fileUrl(file: string): URL {
  return new URL(`../${file}`, import.meta.url)
}

for (const [file, text] of generated) {
  if (!process.argv.includes('--check')) writeFileSync(fileUrl(file), text)
  else if (readContent(file) !== text) {
    process.stderr.write(`${file} is out of date: run npm run generate and commit it.\n`)
    process.exitCode = 1
  }
}
