import { execFile } from 'node:child_process'
import { cpSync, globSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { buildChangedFiles, builtFolder } from '../../src/built-files.ts'
import { startBadProxy } from '../harness/bad-proxy.ts'
import { browserPath, launchOptions } from '../harness/browser.ts'
import { startService, temporaryFolder } from '../harness/service.ts'
import type { Row } from './row.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
const adminKey = 'atradm_of-a-trial-of-the-sdk-0123456789'
const nodes = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' }

/** Uses of one license, taken at once through a network that fails. The program makes what it needs and prints what was lost. */
const consumeProgram = `
import { Atrium } from '@atrium/sdk'
import { AtriumAdmin } from '@atrium/sdk/admin'
const { BASE: baseUrl, PROXY, ADMIN_KEY: adminKey, USES } = process.env
const admin = new AtriumAdmin({ baseUrl, adminKey })
const slug = 'node-' + process.versions.node.replaceAll('.', '-')
const { tenant } = await admin.tenants.create({ name: slug, slug, contactEmail: 'ops@example.com' })
const { apiKey } = await admin.apiKeys.create({ tenantId: tenant.id, name: 'app', products: ['assistant-ai'] })
const { license } = await admin.licenses.create({ tenantId: tenant.id, product: 'assistant-ai', plan: 'STARTER', maxUses: 5000 })
const atrium = new Atrium({ baseUrl: PROXY, apiKey: apiKey.key, retries: 40, timeoutMs: 120_000 })
const uses = Number(USES)
const one = () => atrium.licenses.consume({ licenseKey: license.key })
for (let done = 0; done < uses; done += 50) await Promise.all(Array.from({ length: 50 }, one))
const { usesRemaining } = await new Atrium({ baseUrl, apiKey: apiKey.key }).licenses.validate({ licenseKey: license.key })
console.log(JSON.stringify({ slug, key: apiKey.key, license: license.key, used: 5000 - usesRemaining }))
`

/** The published package in strict TypeScript 5.9, in Node 20, 22 and 24, and in Chromium. `uses` are taken in each Node. */
export async function sdkRuntimes(uses: number): Promise<Row[]> {
  const folder = await installed()
  const service = await startService({
    DATA_DIR: await temporaryFolder(),
    ADMIN_KEY: adminKey,
    RATE_LIMIT_MAX: '1000000',
  })
  const proxy = await startBadProxy(service.base)
  const env = {
    BASE: service.base,
    PROXY: proxy.base,
    ADMIN_KEY: adminKey,
    USES: String(uses),
    PATH: process.env['PATH'],
  }
  try {
    const rows = [await typesRow(folder)]
    for (const version of Object.keys(nodes)) rows.push(await nodeRow(folder, version, env))
    rows.push(await browserRow(service.base, JSON.parse(String(rows.at(-1)?.['answer']))))
    return rows.map(({ answer: _, ...row }) => row as Row)
  } finally {
    proxy.close()
    await service.stop('SIGTERM')
  }
}

async function installed(): Promise<string> {
  buildChangedFiles((text) => process.stderr.write(text))
  const folder = await temporaryFolder()
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const dependencies = {
    '@atrium/sdk': `file:${builtFolder}/sdk/atrium.tgz`,
    typescript: '5.9.3',
    ...Object.fromEntries(Object.entries(nodes).map(([name, at]) => [`node${name}`, `npm:node-${platform}@${at}`])),
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies }))
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder })
  writeFileSync(join(folder, 'consume.mjs'), consumeProgram)
  return folder
}

/** The examples against the declarations of the package, and the tests of the SDK as programs that any Node can run. */
async function typesRow(folder: string): Promise<Row> {
  for (const file of globSync('sdk/examples/*.ts', { cwd: root })) {
    cpSync(join(root, file), join(folder, 'examples', file.split('/').at(-1) as string))
  }
  writeFileSync(
    join(folder, 'examples/globals.d.ts'),
    'declare const process: { env: Record<string, string | undefined> }',
  )
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    target: 'es2022',
    module: 'nodenext',
  }
  const examples = { ...strict, lib: ['es2022', 'dom', 'dom.iterable'], types: [], outDir: 'compiled/examples' }
  const tests = {
    ...strict,
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    rewriteRelativeImportExtensions: true,
    rootDir: join(root, 'sdk/src'),
    outDir: 'compiled/tests',
  }
  writeFileSync(join(folder, 'examples.json'), JSON.stringify({ compilerOptions: examples, include: ['examples'] }))
  writeFileSync(
    join(folder, 'tests.json'),
    JSON.stringify({ compilerOptions: tests, include: [join(root, 'sdk/src')] }),
  )
  const faults: string[] = []
  for (const project of ['examples.json', 'tests.json']) {
    const compiled = await run('node_modules/.bin/tsc', ['-p', project], { cwd: folder }).catch((error) => error)
    if (compiled.code) faults.push(`${project}: ${compiled.stdout}`)
  }
  return {
    where: 'TypeScript 5.9.3, strict',
    seen: 'examples, declarations and sources compile',
    broken: faults.join('; '),
  }
}

async function nodeRow(folder: string, version: string, env: Record<string, string | undefined>): Promise<Row> {
  const node = join(folder, `node_modules/node${version}/bin/node`)
  const options = { cwd: folder, env }
  const { stdout: running } = await run(node, ['--version'])
  const files = globSync('compiled/tests/*.test.js', { cwd: folder })
  const tested = await run(node, ['--test', '--test-reporter=tap', ...files], options).catch((error) => error)
  const [passed, failed] = ['pass', 'fail'].map((what) => Number(tested.stdout.match(`# ${what} (\\d+)`)?.[1] ?? -1))
  const { stdout: answer } = await run(node, ['consume.mjs'], options)
  const { key, license, slug, used } = JSON.parse(answer)
  const example = { ...options, env: { ...env, API_KEY: key, LICENSE_KEY: license, SLUG: slug } }
  const ran = await Promise.all(
    ['validate', 'consume', 'lists', 'call'].map((name) => run(node, [`compiled/examples/${name}.js`], example)),
  )
  const isWhole =
    failed === 0 && Number(passed) > 10 && used === Number(env['USES']) && ran.every(({ stdout }) => stdout)
  const seen = `${passed} tests pass; ${env['USES']} consumes took ${used} uses; 4 examples run`
  return {
    where: `Node ${running.trim()}`,
    seen,
    broken: isWhole ? '' : `${failed} tests fail, or uses differ`,
    answer,
  }
}

/** From a page of another origin, as an application of a tenant is one. */
async function browserRow(base: string, { key, license }: { key: string; license: string }): Promise<Row> {
  if (browserPath === undefined) return { where: 'Chromium', seen: 'not installed', broken: 'not tested' }
  const page = createServer((_, reply) =>
    reply.setHeader('content-type', 'text/html').end('<!doctype html><title>App</title>'),
  )
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
  const browser = await chromium.launch({ executablePath: browserPath, args: launchOptions })
  try {
    const tab = await browser.newPage()
    await tab.goto(`http://127.0.0.1:${(page.address() as { port: number }).port}/`)
    const valid = await tab.evaluate(`import('${base}/sdk/atrium.js').then(async ({ Atrium }) =>
      (await new Atrium({ baseUrl: '${base}', apiKey: '${key}' }).licenses.consume({ licenseKey: '${license}' })).valid)`)
    return {
      where: `Chromium ${browser.version()}`,
      seen: `consume: ${valid}`,
      broken: valid === true ? '' : 'no answer',
    }
  } finally {
    await browser.close()
    page.close()
  }
}
