import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { getResolvedPDFJS } from 'unpdf'

// Writes `cmaps.br`: the CMap files of the PDF.js that reads documents, in one file. Run by hand when `unpdf` brings another
// PDF.js. It needs the npm registry. Decision 27 says why the package itself is not installed.

const target = new URL('../src/extraction/formats/pdf/', import.meta.url)
const { version } = await getResolvedPDFJS()
const folder = mkdtempSync(join(tmpdir(), 'cmaps-'))
try {
  const install = ['install', '--prefix', folder, '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync('npm', [...install, `pdfjs-dist@${version}`])
  const source = join(folder, 'node_modules/pdfjs-dist/cmaps')
  const files = readdirSync(source)
    .filter((file) => file.endsWith('.bcmap'))
    .sort()
    .map((file) => ({ name: file.slice(0, -'.bcmap'.length), bytes: readFileSync(join(source, file)) }))
  const directory = { version, lengths: Object.fromEntries(files.map(({ name, bytes }) => [name, bytes.length])) }
  const packed = Buffer.concat([Buffer.from(`${JSON.stringify(directory)}\n`), ...files.map(({ bytes }) => bytes)])
  writeFileSync(new URL('cmaps.br', target), brotliCompressSync(packed))
  const license = readFileSync(join(source, 'LICENSE'), 'utf8').replaceAll(/^%%Copyright: ?/gm, '')
  writeFileSync(new URL('cmaps.license.txt', target), license.replaceAll(/[^\S\n]+$/gm, ''))
} finally {
  rmSync(folder, { recursive: true })
}
