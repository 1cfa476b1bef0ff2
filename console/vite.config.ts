import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

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

/** `npm run console` serves the sources with hot reload, and sends what is not a page to a running service. */
export default defineConfig({
  base: '/console/',
  plugins: [react()],
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
