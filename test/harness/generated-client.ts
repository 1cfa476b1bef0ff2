import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const fileOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const generator = fileOf('node_modules/@redocly/cli/bin/cli.js')
const generatorConfig = fileOf('redocly.yaml')
const compiler = fileOf('node_modules/typescript/bin/tsc')
// The generator would ask the registry whether there is a newer one.
const env = { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
const run = (...args: string[]) => promisify(execFile)(process.execPath, args, { env })

const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
}

/** Generates a TypeScript client from an OpenAPI document and compiles it strictly; `output` is what the compiler says. */
export async function clientCompiles(document: object): Promise<{ ok: boolean; output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-client-'))
  try {
    const [description, client] = [join(folder, 'api.json'), join(folder, 'client.ts')]
    await writeFile(description, JSON.stringify(document))
    await run(generator, 'generate-client', description, '--output', client, '--config', generatorConfig)
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['client.ts'] }))
    const { stdout } = await run(compiler, '-p', folder)
    return { ok: true, output: stdout }
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    return { ok: false, output: stdout || stderr || String(error) }
  } finally {
    await rm(folder, { recursive: true })
  }
}
