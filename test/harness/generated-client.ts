import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { redocly, toolPackages } from '../../scripts/tool-packages.ts'

type Generator = {
  /** Where its packages are: in folders of their own, because they are large or bring TypeScript 5. */
  packages: 'openapi' | 'clients'
  program: string
  /** Of a folder with the document in `api.json`, where it writes `client.ts` or the folder `client`. */
  args: readonly string[]
  /** Uses what it has made: an operation, and an event if it has types for them. */
  consumer: string
}

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const call = `import { login } from './client'
export const call = () => login`
const credentials = `{ email: 'ana@example.com', password: 'plum-Kayak-73-otter' }`

export const generators = {
  redocly: {
    packages: 'openapi',
    program: redocly.program,
    args: ['generate-client', 'api.json', '--output', 'client.ts', '--config', pathOf('redocly.yaml')],
    consumer: `${call}({ body: ${credentials} })`,
  },
  'openapi-typescript': {
    packages: 'clients',
    program: 'openapi-typescript/bin/cli.js',
    args: ['api.json', '--output', 'client.ts'],
    consumer: `import type { paths, webhooks } from './client'
type Json<T extends { requestBody: { content: { 'application/json': unknown } } }> = T['requestBody']['content']['application/json']
export const credentials: Json<paths['/v1/auth/login']['post']> = ${credentials}
export const type: Json<webhooks['license.issued']['post']>['type'] = 'license.issued'`,
  },
  '@hey-api/openapi-ts': {
    packages: 'clients',
    program: '@hey-api/openapi-ts/bin/run.js',
    args: ['--input', 'api.json', '--output', 'client', '--client', '@hey-api/client-fetch', '--no-log-file'],
    consumer: `${call}({ body: ${credentials} })`,
  },
  orval: {
    packages: 'clients',
    program: 'orval/dist/bin/orval.mjs',
    args: ['--input', 'api.json', '--output', 'client.ts', '--client', 'fetch', '--mode', 'single'],
    consumer: `${call}(${credentials})`,
  },
} as const satisfies Record<string, Generator>

const compiler = pathOf('node_modules/typescript/bin/tsc')
const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
  // TypeScript's own.
  skipDefaultLibCheck: true,
}

/**
 * Generates a TypeScript client from an OpenAPI document and compiles code that uses it, strictly and with our TypeScript;
 * `output` is what failed.
 */
export async function clientCompiles(
  document: object,
  { packages, program, args, consumer }: Generator,
): Promise<{ ok: boolean; output: string }> {
  const generator = join(await toolPackages(packages), 'node_modules', program)
  const folder = await mkdtemp(join(tmpdir(), 'atrium-client-'))
  const run = (...command: string[]) =>
    promisify(execFile)(process.execPath, command, { env: redocly.env, cwd: folder })
  try {
    await writeFile(join(folder, 'api.json'), JSON.stringify(document))
    await writeFile(join(folder, 'consumer.ts'), consumer)
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
    await run(generator, ...args)
    await run(compiler, '-p', folder)
    return { ok: true, output: '' }
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    return { ok: false, output: stdout || stderr || String(error) }
  } finally {
    await rm(folder, { recursive: true })
  }
}
