import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { generateApi } from 'swagger-typescript-api'

const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

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
    // A copy, because the generator resolves references in place.
    const spec = structuredClone(document) as NonNullable<Parameters<typeof generateApi>[0]['spec']>
    const { files } = await generateApi({ spec, output: false, fileName: 'client.ts', silent: true })
    const [client] = files
    if (!client) throw new Error('The generator made no client.')
    // The generator switches the type check of its file off, which would let every client compile.
    await writeFile(join(folder, 'client.ts'), client.fileContent.replace('// @ts-nocheck', ''))
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['client.ts'] }))
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', folder])
    return { ok: true, output: stdout }
  } catch (error) {
    const { stdout } = error as { stdout?: string }
    return { ok: false, output: stdout || String(error) }
  } finally {
    await rm(folder, { recursive: true })
  }
}
