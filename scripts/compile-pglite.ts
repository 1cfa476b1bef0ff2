import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compiledPglite, compiledPgliteFile } from '../src/storage/compiled-pglite.ts'

/** Keeps PGlite's machine code for later processes (decision 29), unless there is some that fits. */
export async function compilePglite(): Promise<void> {
  if (compiledPglite() !== null) return
  const folder = await mkdtemp(join(tmpdir(), 'atrium-compile-'))
  const forget = () => rmSync(compiledPgliteFile, { force: true })
  try {
    forget()
    // The functions of V8 that this needs are no public interface. Where they do not work, nothing may rely on them.
    if ((await startService('keep', folder)) !== 0 || (await startService('try', folder)) !== 0) forget()
    if (!existsSync(compiledPgliteFile)) console.log('The embedded database was not compiled: a start takes longer.')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The exit code. */
async function startService(task: 'keep' | 'try', folder: string): Promise<number | null> {
  const { PATH, SystemRoot } = process.env
  const child = spawn(process.execPath, ['scripts/node24.js', 'scripts/compiling-start.ts', task], {
    // None of the settings of a service that runs here.
    env: { PATH, SystemRoot, DATA_DIR: folder, HOST: '127.0.0.1', PORT: '0' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return code
}
