// The least that a page with React can be: built like the console, it asks once and shows the rows of the answer.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'

const program = `
import { createElement as h, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
function Rows() {
  const [rows, setRows] = useState([])
  useEffect(() => void fetch('/rows').then((answer) => answer.json()).then(setRows), [])
  return h('table', null, h('tbody', null, rows.map((row) => h('tr', { key: row }, h('td', null, row)))))
}
createRoot(document.getElementById('root')).render(h(Rows))
`
const entry = '/bare-react.js'
const built = (await build({
  configFile: false,
  logLevel: 'error',
  root: fileURLToPath(new URL('../../console', import.meta.url)),
  plugins: [
    {
      name: 'program',
      resolveId: (id) => (id === entry ? id : null),
      load: (id) => (id === entry ? program : null),
    },
  ],
  build: { write: false, rolldownOptions: { input: entry } },
})) as Rolldown.RolldownOutput
const script = brotliCompressSync(built.output[0].code)
const page = '<!doctype html><title>Rows</title><div id="root"></div><script type="module" src="/script.js"></script>'
const rows = JSON.stringify(Array.from({ length: 20 }, (_, row) => `row ${row}`))

const server = createServer(({ url }, response) => {
  if (url === '/script.js') {
    return response.writeHead(200, { 'content-type': 'text/javascript', 'content-encoding': 'br' }).end(script)
  }
  if (url === '/rows') return response.writeHead(200, { 'content-type': 'application/json' }).end(rows)
  return response.writeHead(200, { 'content-type': 'text/html' }).end(page)
})
server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.on('SIGTERM', () => process.exit(0))
