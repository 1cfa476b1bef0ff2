import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const service = process.env['ATRIUM_URL'] ?? 'http://127.0.0.1:8080'

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
  },
  server: {
    proxy: {
      '^/console/(api|session)': { target: service, changeOrigin: true, headers: { origin: service } },
      '^/(docs|openapi.json|sdk|health)': service,
    },
  },
})
