import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { isAbsolute, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

// The modules of the service in a few files: Node opens and links 1,500 files at each start otherwise. Decision 28.

const root = fileURLToPath(new URL('..', import.meta.url))
/** Where `scripts/node24.js` looks for it. */
const folder = `${root}dist/service`

/** From the root of the checkout. */
const nameOf = (file: string) => relative(root, file).replaceAll('\\', '/')

/** Modules find workers, migrations and other files beside themselves: they keep the address of their source. */
const sourceAddresses: Plugin = {
  name: 'source-addresses',
  transform(code, id) {
    if (!code.includes('import.meta.')) return null
    const source = `new URL(${JSON.stringify(`../../${nameOf(id)}`)}, import.meta.url)`
    return code
      .replaceAll(/import\.meta\.url\b/g, `${source}.href`)
      .replaceAll(
        /import\.meta\.dirname\b/g,
        `process.getBuiltinModule('node:url').fileURLToPath(new URL('.', ${source}))`,
      )
  },
}

/** In seconds: images of containers keep no more of a time. */
function withTimeAndSize(file: string): [file: string, changedAt: number, bytes: number] {
  const { mtimeMs, size } = statSync(file)
  return [nameOf(file), Math.trunc(mtimeMs / 1000), size]
}

/** Bundles what `npm start` and the commands for backups run, and compiles it for Node's cache. Packages stay where they are. */
export async function bundleService(): Promise<void> {
  const draft = `${folder}.${process.pid}`
  const bundle = await rolldown({
    input: { main: `${root}src/main.ts`, app: `${root}src/app.ts`, backup: `${root}src/backup.ts` },
    platform: 'node',
    external: (id) => !id.startsWith('.') && !isAbsolute(id),
    plugins: [sourceAddresses],
  })
  try {
    mkdirSync(draft, { recursive: true })
    await bundle.write({ dir: draft, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
    const sources = (await bundle.watchFiles).filter((file) => file.startsWith(root))
    writeFileSync(`${draft}/sources.json`, JSON.stringify(sources.map(withTimeAndSize)))
    rmSync(folder, { recursive: true, force: true })
    renameSync(draft, folder)
  } finally {
    await bundle.close()
    rmSync(draft, { recursive: true, force: true })
  }
  await import(pathToFileURL(`${folder}/app.js`).href)
}
