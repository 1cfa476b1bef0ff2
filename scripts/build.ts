// node scripts/node24.js scripts/build.ts
// Builds what the service sends to browsers (the console, and the SDK as one file) and the package of the SDK.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { builtFolder, sourceStamp } from '../src/built-files.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = sourceStamp()
// Beside the old build, which is replaced in one step: another process may be serving or building it.
const folder = `${builtFolder}.${process.pid}`

mkdirSync(`${folder}/sdk`, { recursive: true })
try {
  buildPackage()
  await buildSdk()
  await buildConsole()
  compress(folder)
  writeFileSync(`${folder}/stamp`, stamp)
  rmSync(builtFolder, { recursive: true, force: true })
  renameSync(folder, builtFolder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** `sdk/dist`, and from it the package, as a publisher would make it. */
function buildPackage(): void {
  rmSync(`${root}sdk/dist`, { recursive: true, force: true })
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'sdk'], { cwd: root, stdio: 'inherit' })
  const options = ['pack', '--workspace', 'sdk', '--pack-destination', `${folder}/sdk`, '--json']
  const npm = process.env['npm_execpath']
  const [program, args] = npm ? [process.execPath, [npm, ...options]] : ['npm', options]
  const [packed] = JSON.parse(execFileSync(program, args, { cwd: root, encoding: 'utf8' })) as { filename: string }[]
  renameSync(`${folder}/sdk/${packed?.filename}`, `${folder}/sdk/atrium.tgz`)
}

async function buildSdk(): Promise<void> {
  await build({
    configFile: false,
    root: `${root}sdk`,
    logLevel: 'warn',
    build: {
      lib: { entry: 'src/index.ts', formats: ['es'], fileName: () => 'atrium.js' },
      outDir: `${folder}/sdk`,
      emptyOutDir: false,
      // Said here, because Vite keeps the blanks of a library.
      rolldownOptions: { output: { minify: true, comments: false } },
    },
  })
}

async function buildConsole(): Promise<void> {
  await build({
    configFile: `${root}console/vite.config.ts`,
    root: `${root}console`,
    logLevel: 'warn',
    build: { outDir: `${folder}/console`, emptyOutDir: true },
  })
}

/** Once and as small as possible, so that no request waits for it. */
function compress(place: string): void {
  for (const entry of readdirSync(place, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !/\.(js|css|svg|html)$/.test(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    const bytes = readFileSync(file)
    writeFileSync(`${file}.br`, brotliCompressSync(bytes))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}
