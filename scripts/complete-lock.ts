// node scripts/complete-lock.ts, then `npm install --package-lock-only`: after a change of dependencies on a registry that
// lacks the packages of other platforms. npm leaves those out of the lock there, and `npm ci` then refuses the lock.
import { readFileSync, writeFileSync } from 'node:fs'

type Entry = {
  version: string
  optionalDependencies?: Record<string, string>
  dev?: boolean
  engines?: object
  license?: string
}

const place = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(place, 'utf8')) as { packages: Record<string, Entry> }

for (const [path, parent] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(parent.optionalDependencies ?? {})) {
    if (path === '' || lock.packages[`${path}/node_modules/${name}`] || lock.packages[`node_modules/${name}`]) continue
    lock.packages[`node_modules/${name}`] = entryOf(name, range.replace('^', ''), parent)
    process.stdout.write(`${name} ${range}\n`)
  }
}

/** Platform packages are named alike: `...cli-linux-x64-musl`, `...binding-darwin-arm64`. */
function entryOf(name: string, version: string, parent: Entry): Entry & Record<string, unknown> {
  const [os = '', cpu = '', libc] = (/(?:cli|binding)-(.*)$/.exec(name)?.[1] ?? name).split('-')
  return {
    version,
    cpu: [cpu],
    ...(parent.dev ? { dev: true } : {}),
    ...(os === 'linux' && libc ? { libc: [libc.includes('musl') ? 'musl' : 'glibc'] } : {}),
    optional: true,
    os: [os],
    ...(parent.engines ? { engines: parent.engines } : {}),
    ...(parent.license ? { license: parent.license } : {}),
  }
}

writeFileSync(place, `${JSON.stringify(lock, null, 2)}\n`)
