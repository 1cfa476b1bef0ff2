// Checks who may import whom. TypeScript's own parser lists the imports, so this reads all that the compiler reads.
import { posix } from 'node:path'
import type { Node } from 'typescript/unstable/ast'
import { SyntaxKind } from 'typescript/unstable/ast'
import { isExportDeclaration, isImportDeclaration, isStringLiteralLikeNode } from 'typescript/unstable/ast/is'
import { API } from 'typescript/unstable/sync'
import { mutualSiblings } from './mutual-siblings.ts'

/** `from` is a path from the root; `to` is one too, or the name of a package, or a `node:` module. */
export type Import = { from: string; to: string; typeOnly: boolean }

const ourProjects = ['tsconfig.json', 'console/tsconfig.json']

type Rule = { name: string; breaks: (it: Import) => boolean }

/** Node's modules with functions that only compute: hashes and CRC-32. */
const pureModules = ['node:crypto', 'node:zlib']
const isOurs = (path: string) => /^(src|agent|runner|sdk|console|test|scripts|bench)\//.test(path)
const isStore = (path: string) => path.endsWith('.store.ts')
const isPackage = (to: string, ...names: string[]) => names.some((name) => to === name || to.startsWith(`${name}/`))

/** `kernel`, `storage`, `http`, the name of a capability, `composition` for src/*.ts and src/config, `agent`, `runner`, `sdk`, `console pages` (console/), `outside`. */
function area(path: string): string {
  const [folder = ''] = path.split('/')
  if (['agent', 'runner', 'sdk'].includes(folder)) return folder
  if (folder === 'console') return 'console pages'
  if (!path.startsWith('src/')) return 'outside'
  return path.split('/').length === 2 || path.startsWith('src/config/') ? 'composition' : (path.split('/')[1] ?? '')
}
const floor = ['kernel', 'workers', 'storage', 'jobs', 'backup', 'outgoing', 'http']
/** Used by any capability, file by file, as the floor is. */
const engines = ['summarizer', 'text', 'retrieval', 'extraction', 'ai', 'mime', 'providers', 'icalendar']
const isCapability = (path: string) =>
  ![...floor, ...engines, 'composition', 'agent', 'runner', 'sdk', 'console pages', 'outside'].includes(area(path))
const isDoor = (path: string) => path === `src/${area(path)}/index.ts`
const isOtherCapability = ({ from, to }: Import) => isCapability(to) && area(from) !== area(to)

function importsOnly(folder: string, others: string[]): Rule {
  return {
    name: `${folder} imports only ${others.join(' and ')}`,
    breaks: ({ from, to }) => area(from) === folder && isOurs(to) && ![folder, ...others].includes(area(to)),
  }
}

/** Holds for what runs in production; tests beside a file may import what they need. */
const rules: Rule[] = [
  {
    name: 'kernel imports nothing of ours, and of Node only what is pure',
    breaks: ({ from, to }) =>
      area(from) === 'kernel' &&
      (isOurs(to) ? area(to) !== 'kernel' : to.startsWith('node:') && !pureModules.includes(to)),
  },
  // The floor knows no capability, and an engine knows less than the floor.
  importsOnly('workers', ['kernel']),
  importsOnly('storage', ['kernel']),
  importsOnly('jobs', ['kernel', 'storage']),
  importsOnly('backup', ['kernel', 'storage']),
  importsOnly('outgoing', ['kernel']),
  importsOnly('http', ['kernel', 'workers', 'storage']),
  importsOnly('summarizer', ['kernel', 'workers']),
  importsOnly('text', ['kernel', 'workers']),
  importsOnly('retrieval', ['kernel']),
  importsOnly('extraction', ['kernel', 'workers', 'retrieval']),
  importsOnly('ai', ['kernel', 'storage']),
  importsOnly('mime', ['kernel', 'workers']),
  importsOnly('providers', ['kernel']),
  importsOnly('icalendar', ['kernel', 'workers']),
  {
    name: 'a capability imports only the floor, the engines, itself, and types of another capability',
    breaks: ({ from, to }) => isCapability(from) && ['composition', 'outside'].includes(area(to)) && isOurs(to),
  },
  {
    name: 'a capability is known to another only by the types of its index.ts',
    breaks: (it) => isCapability(it.from) && isOtherCapability(it) && !(isDoor(it.to) && it.typeOnly),
  },
  {
    name: 'inbound imports no product: capabilities.ts gives it the handlers of what providers send',
    breaks: (it) =>
      area(it.from) === 'inbound' && isOtherCapability(it) && !['identity', 'usage'].includes(area(it.to)),
  },
  {
    name: 'app.ts, capabilities.ts and main.ts enter a capability through its index.ts',
    breaks: (it) => area(it.from) === 'composition' && isOtherCapability(it) && !isDoor(it.to),
  },
  {
    name: 'the agent runs alone on its machine: it imports only itself and Node',
    breaks: ({ from, to }) => area(from) === 'agent' && area(to) !== 'agent' && !to.startsWith('node:'),
  },
  {
    name: 'the service knows the agent only by what they say to each other',
    breaks: ({ from, to }) => area(from) !== 'agent' && area(to) === 'agent',
  },
  {
    name: 'the runner runs alone on its machine: it imports only itself, Node and playwright-core',
    breaks: ({ from, to }) =>
      area(from) === 'runner' && area(to) !== 'runner' && !to.startsWith('node:') && to !== 'playwright-core',
  },
  {
    name: 'the service knows the runner only by what they say to each other',
    breaks: ({ from, to }) => area(from) !== 'runner' && area(to) === 'runner',
  },
  { name: 'the SDK imports nothing but itself', breaks: ({ from, to }) => area(from) === 'sdk' && area(to) !== 'sdk' },
  {
    name: 'the console knows the service only by the SDK',
    breaks: ({ from, to }) => area(from) === 'console pages' && isOurs(to) && area(to) !== 'console pages',
  },
  {
    name: 'nobody imports the SDK or the console by a path; the console imports @atrium/sdk',
    breaks: ({ from, to }) => ['sdk', 'console pages'].includes(area(to)) && area(from) !== area(to),
  },
  { name: 'nothing imports from tests, scripts or benches', breaks: ({ to }) => isOurs(to) && area(to) === 'outside' },
  {
    name: 'rules import only kernel, pure modules of Node and rules of their own capability; types are free',
    breaks: ({ from, to, typeOnly }) =>
      from.endsWith('.rules.ts') &&
      !typeOnly &&
      area(to) !== 'kernel' &&
      !pureModules.includes(to) &&
      !(to.endsWith('.rules.ts') && area(to) === area(from)),
  },
  {
    name: 'SQL is written only in *.store.ts, storage and jobs',
    breaks: ({ from, to }) =>
      ['src/storage/query.ts', 'src/storage/sql.ts'].includes(to) &&
      !isStore(from) &&
      !['storage', 'jobs'].includes(area(from)),
  },
  {
    name: 'only http/validation.ts loads the schema package; its types are free',
    breaks: ({ from, to, typeOnly }) => isPackage(to, 'typebox') && !typeOnly && from !== 'src/http/validation.ts',
  },
  {
    name: 'only http knows the web framework and WebSockets',
    breaks: ({ from, to }) => isPackage(to, 'fastify', '@fastify', 'ws') && area(from) !== 'http',
  },
  {
    name: 'only storage and backup know the drivers of databases',
    breaks: ({ from, to }) =>
      isPackage(to, 'pg', '@electric-sql', 'redis') && !['storage', 'backup'].includes(area(from)),
  },
  {
    name: 'only http/access, app.ts and jobs mint a scope',
    breaks: ({ from, to }) => to === 'src/storage/mint.ts' && !/^src\/(http\/access\/.*|app\.ts|jobs\/.*)$/.test(from),
  },
]

/** One line for each broken rule, each cycle, and each pair of siblings that differs from the known ones. */
export function violations(imports: Import[], knownSiblings: string[] = mutualSiblings): string[] {
  const inProduction = imports.filter(
    ({ from }) => /^(src|agent|runner|sdk\/src|console)\//.test(from) && !from.endsWith('.test.ts'),
  )
  const broken = rules.flatMap((rule) =>
    inProduction.filter(rule.breaks).map(({ from, to }) => `${from} -> ${to}: ${rule.name}`),
  )
  const siblings = mutualSiblingsIn(inProduction)
  return [
    ...broken,
    ...siblings.filter((pair) => !knownSiblings.includes(pair)).map((pair) => `${pair}: siblings import each other`),
    ...knownSiblings
      .filter((pair) => !siblings.includes(pair))
      .map((pair) => `${pair}: siblings no longer import each other; remove the pair from scripts/mutual-siblings.ts`),
    ...cycles(imports).map((path) => `${path.join(' -> ')}: imports run in a circle`),
  ]
}

/** Pairs of folders within one folder of `src` that import each other, types included, as `vault/devices, vault/nodes`. */
function mutualSiblingsIn(imports: Import[]): string[] {
  const folder = (path: string) => /^src\/([^/]+\/[^/]+)\//.exec(path)?.[1] ?? ''
  const pairs = new Set(imports.map(({ from, to }) => `${folder(from)}, ${folder(to)}`))
  return [...pairs]
    .filter((pair) => {
      const [from = '', to = ''] = pair.split(', ')
      return from !== '' && from < to && area(`src/${from}`) === area(`src/${to}`) && pairs.has(`${to}, ${from}`)
    })
    .sort()
}

/** Each circle that a walk from file to file meets, types included: files that need each other are one file. */
function cycles(imports: Import[]): string[][] {
  const targets = Map.groupBy(imports, ({ from }) => from)
  const finished = new Set<string>()
  const found: string[][] = []
  const walk = (file: string, trail: string[]) => {
    if (trail.includes(file)) found.push([...trail.slice(trail.indexOf(file)), file])
    else if (!finished.has(file)) for (const { to } of targets.get(file) ?? []) walk(to, [...trail, file])
    finished.add(file)
  }
  for (const file of targets.keys()) walk(file, [])
  return found
}

/** All imports and re-exports of the files of TypeScript projects, whose settings are at these paths in the folder `root`. */
export function readImports(root: string, projects: readonly string[] = ourProjects): Import[] {
  const compiler = new API({ cwd: root })
  try {
    const openProjects = projects.map((file) => `${root}/${file}`)
    const opened = compiler.updateSnapshot({ openProjects }).getProjects()
    if (opened.length !== projects.length)
      throw new Error(`Not every TypeScript project was read: ${projects.join(', ')}`)
    return opened.flatMap(({ rootFiles, program }) =>
      rootFiles.flatMap((file) => {
        const from = posix.relative(root, file)
        const specifiers = program.getSourceFile(file)?.imports ?? []
        return specifiers.filter(isStringLiteralLikeNode).map((specifier) => ({
          from,
          to: specifier.text.startsWith('.') ? posix.join(posix.dirname(from), specifier.text) : specifier.text,
          typeOnly: isTypeOnly(specifier.parent),
        }))
      }),
    )
  } finally {
    compiler.close()
  }
}

/** `import { type T }` is no such statement: it still loads the other file when it runs. */
function isTypeOnly(statement: Node): boolean {
  if (isImportDeclaration(statement)) return statement.importClause?.phaseModifier === SyntaxKind.TypeKeyword
  if (isExportDeclaration(statement)) return statement.isTypeOnly
  return statement.kind === SyntaxKind.LiteralType
}

if (import.meta.main) {
  const imports = readImports(process.cwd())
  const lines = violations(imports)
  console.log(lines.join('\n') || `Directions: ${imports.length} imports, none against the rules.`)
  if (lines.length > 0 || imports.length === 0) process.exitCode = 1
}
