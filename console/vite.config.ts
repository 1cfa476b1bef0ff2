import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const service = process.env['ATRIUM_URL'] ?? 'http://127.0.0.1:8080'

type ModuleInfo = { importedIds: readonly string[] }
type Modules = { getModuleInfo(id: string): ModuleInfo | null }

/** All that is loaded with a module, but for what it fetches later. */
function loadedWith(id: string, modules: Modules, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found
  found.add(id)
  for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) loadedWith(imported, modules, found)
  return found
}

/** One file for all that a module needs; else it is spread over many small ones, which load slower. */
function neededBy(module: string, name: string) {
  const id = `${import.meta.dirname}/src/${module}`
  let needed: Set<string> | null = null
  return {
    debugName: name,
    // Asked of each module once all are known.
    name: (each: string, modules: Modules) => {
      needed ??= loadedWith(id, modules)
      return each !== id && needed.has(each) ? name : null
    },
  }
}

/**
 * What everybody loads: that of the first script, and that of the console with Home. The first script itself is in neither:
 * it waits for the console, which would wait for the file.
 */
const firstFiles = [
  { ...neededBy('enter/enter.ts', 'first'), priority: 2 },
  { ...neededBy('app.tsx', 'console'), priority: 1 },
]

/**
 * The page for browsers with a session asks for all files of the console at once: else they would know of them only once the first
 * script runs. For others the form comes first.
 */
const signedInPage: Plugin = {
  name: 'signed-in-page',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const page = bundle['index.html']
      const app = Object.values(bundle).find(
        (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith('/app.tsx'),
      )
      if (page?.type !== 'asset' || app === undefined) throw new Error('The build has no page or no console.')
      const scripts = new Set([app.fileName])
      const styles = new Set<string>()
      // What is added meanwhile is visited, too.
      for (const name of scripts) {
        const file = bundle[name]
        if (file?.type !== 'chunk') continue
        for (const imported of file.imports) scripts.add(imported)
        for (const style of file.viteMetadata?.importedCss ?? []) styles.add(style)
      }
      const html = String(page.source)
      const isMissing = (file: string) => !html.includes(file)
      const links = [
        ...[...scripts]
          .filter(isMissing)
          .map((file) => `<link rel="modulepreload" crossorigin href="/console/${file}">`),
        ...[...styles]
          .filter(isMissing)
          .map((file) => `<link rel="preload" as="style" crossorigin href="/console/${file}">`),
      ]
      const source = html
        .replace('<html', '<html data-session')
        .replace('</head>', `  ${links.join('\n    ')}\n  </head>`)
      this.emitFile({ type: 'asset', fileName: 'signed-in.html', source })
    },
  },
}

/** `npm run console` serves the sources with hot reload, and sends what is not a page to a running service. */
export default defineConfig({
  base: '/console/',
  plugins: [react(), signedInPage],
  resolve: { conditions: ['atrium-source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
    rolldownOptions: { output: { codeSplitting: { groups: firstFiles } } },
  },
  server: {
    proxy: {
      '^/console/(api|session)': { target: service, changeOrigin: true, headers: { origin: service } },
      '^/(docs|openapi.json|sdk|health)': service,
    },
  },
})
