// Plain JavaScript that old versions of Node can run: it explains what is missing instead of failing on the first type.
// node scripts/node24.js [file.ts [arguments...]]; without a file it only checks the version.
import { readFileSync, statSync } from 'node:fs'
import module from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const file = process.argv[2]
// How glibc takes memory from the system, which only the environment can set. A block of 128 KiB or more is given back as soon as it
// is free: by default the bound grows up to 32 MiB with the blocks that were freed, and the service kept some 200 MB after bodies of
// 25 MB. Large blocks come in pages of 2 MiB where the system has them: the first touch of each page takes time.
const tunables = 'GLIBC_TUNABLES'

if (Number.parseInt(process.versions.node, 10) < 24) {
  console.error(
    `Atrium needs Node 24 or newer; this is ${process.versions.node}.\n` +
      'Run it through npm after `npm ci` (npm start, npm test), which brings Node 24 for Linux and Windows, or install Node 24.',
  )
  process.exitCode = 1
} else if (file === 'src/main.ts' && process.platform === 'linux' && process.env[tunables] === undefined) {
  // The same process begins again, before it has loaded anything.
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    ...process.env,
    [tunables]: 'glibc.malloc.mmap_threshold=131072:glibc.malloc.hugetlb=1',
  })
} else if (file !== undefined) {
  // Beside the packages and not in the shared temporary folder, where another user could place code.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)))
  // Our own imports name the file they mean. Not asking the disk for it, for what it links to and for the package it is
  // in takes a third from the time to load some hundred modules.
  module.registerHooks({
    resolve: (specifier, context, next) =>
      specifier.startsWith('.') && specifier.endsWith('.ts') && context.parentURL !== undefined
        ? { url: new URL(specifier, context.parentURL).href, format: 'module-typescript', shortCircuit: true }
        : next(specifier, context),
  })
  process.argv.splice(1, 2, resolve(file))
  await import(bundled(file) ?? pathToFileURL(resolve(file)).href)
}

/**
 * The address of what `npm ci` has bundled of the file and all that it imports (scripts/bundle.ts), or null if there is none or a
 * source has changed since: then the sources run.
 */
function bundled(file) {
  const [, name] = /^src\/(main|backup)\.ts$/.exec(file) ?? []
  if (name === undefined) return null
  const root = fileURLToPath(new URL('..', import.meta.url))
  try {
    const sources = JSON.parse(readFileSync(`${root}dist/service/sources.json`, 'utf8'))
    const isCurrent = sources.every(([file, changedAt, bytes]) => {
      const { mtimeMs, size } = statSync(root + file)
      return Math.trunc(mtimeMs / 1000) === changedAt && size === bytes
    })
    return isCurrent ? pathToFileURL(`${root}dist/service/${name}.js`).href : null
  } catch {
    return null
  }
}
