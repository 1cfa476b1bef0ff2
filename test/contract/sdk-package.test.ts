// What a user of the SDK installs: the package, its types and its size.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { otherCaller } from '../../scripts/sdk/method-names.ts'
import { AtriumAdmin } from '../../sdk/src/admin.ts'
import { Atrium } from '../../sdk/src/index.ts'
import { temporaryFolder } from '../harness/service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))

async function bundleBytes(...entries: string[]): Promise<number> {
  const file = join(await temporaryFolder(), 'entry.ts')
  writeFileSync(file, entries.map((entry) => `export * from '${root}sdk/src/${entry}.ts'`).join('\n'))
  const output = (await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      lib: { entry: file, formats: ['es'] },
      write: false,
      rolldownOptions: { output: { minify: true, comments: false } },
    },
  })) as Rolldown.RolldownOutput[]
  return gzipSync(output[0]?.output[0].code ?? assert.fail('nothing was built'), { level: 9 }).length
}

test('the SDK is small: 6 KB for applications, and 3 KB more with administration', async (t) => {
  const [app, both] = [await bundleBytes('index'), await bundleBytes('index', 'admin')]
  t.diagnostic(`${app} and ${both - app} bytes, gzip`)
  assert.ok(app > 1000 && app <= 6 * 1024, `${app}`)
  assert.ok(both > app && both - app <= 3 * 1024, `${both - app}`)
})

test('every operation that a client calls is reached by its operationId, and needs no package', () => {
  const operations = Object.values(
    read('openapi/api.json').paths as Record<string, Record<string, { operationId?: string }>>,
  )
    .flatMap((verbs) => Object.values(verbs))
    .flatMap(({ operationId }) => (operationId && otherCaller(operationId) === undefined ? [operationId] : []))
  const fetch = async () => Response.json({})
  const clients = [new Atrium({ baseUrl: '', fetch }), new AtriumAdmin({ baseUrl: '', fetch }) as unknown as Atrium]
  const reached = operations.filter((operationId) => {
    const calls = clients.filter((client) => {
      try {
        // Path members are absent: a client that knows the operation refuses them.
        void client.call(operationId as never, {} as never).catch(() => undefined)
        return true
      } catch {
        return false
      }
    })
    return calls.length === 1
  })
  assert.deepEqual(reached, operations)
  assert.ok(operations.length > 250)
  const { dependencies, peerDependencies } = read('sdk/package.json')
  assert.deepEqual([dependencies, peerDependencies], [undefined, undefined])
})

describe('the package', () => {
  let folder: string

  before(async () => {
    folder = await temporaryFolder()
    const installed = join(folder, 'node_modules/@atrium/sdk')
    mkdirSync(installed, { recursive: true })
    cpSync(join(root, 'sdk/package.json'), join(installed, 'package.json'))
    await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'sdk', '--outDir', join(installed, 'dist')], {
      cwd: root,
    })
  })

  test('contains what its entries name, and no tests', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], {
      cwd: join(folder, 'node_modules/@atrium/sdk'),
    })
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }]
    const paths = files.map(({ path }) => path)
    for (const entry of ['index', 'admin']) {
      for (const suffix of ['js', 'd.ts', 'js.map']) assert.ok(paths.includes(`dist/${entry}.${suffix}`), entry)
    }
    assert.deepEqual(
      paths.filter((path) => path.includes('.test.')),
      [],
    )
  })

  test('compiles strictly in a program that uses it, and runs there', { timeout: 60_000 }, async () => {
    for (const file of globSync('sdk/examples/*.ts', { cwd: root }))
      cpSync(join(root, file), join(folder, file.split('/').at(-1) as string))
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      module: 'nodenext',
      types: [],
      allowImportingTsExtensions: true,
    }
    writeFileSync(join(folder, 'globals.d.ts'), 'declare const process: { env: Record<string, string | undefined> }')
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder])
    const program = `import { Atrium, LicenseError } from '@atrium/sdk'
import { AtriumAdmin } from '@atrium/sdk/admin'
console.log(typeof new Atrium({ baseUrl: '' }).licenses.consume, typeof new AtriumAdmin({ baseUrl: '' }).tenants.list, LicenseError.name)`
    writeFileSync(join(folder, 'run.mjs'), program)
    assert.equal((await run(process.execPath, [join(folder, 'run.mjs')])).stdout, 'function function LicenseError\n')
  })
})
