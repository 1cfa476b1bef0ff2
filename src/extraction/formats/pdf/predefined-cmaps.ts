import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/**
 * The CMaps that PDF predefines (ISO 32000-1, 9.7.5.2), and those from characters of Adobe's collections to Unicode. Without
 * them, texts in Chinese, Japanese and Korean are lost where the file itself does not say which letters its codes are.
 */
export type PredefinedCMaps = {
  /** Of the PDF.js that they belong to. */
  version: string
  byName: ReadonlyMap<string, Uint8Array>
}

let loaded: PredefinedCMaps | null = null

/**
 * Of a file written by `scripts/pack-cmaps.ts`: a line of JSON and the binary CMaps behind each other. Takes some 15 ms, once.
 * Decision 27 says why it is a file of ours.
 */
export function predefinedCMaps(): PredefinedCMaps {
  loaded ??= unpack(brotliDecompressSync(readFileSync(new URL('./cmaps.br', import.meta.url))))
  return loaded
}

function unpack(bytes: Buffer): PredefinedCMaps {
  let end = bytes.indexOf('\n') + 1
  const { version, lengths } = JSON.parse(bytes.toString('utf8', 0, end)) as {
    version: string
    lengths: Record<string, number>
  }
  const byName = new Map<string, Uint8Array>()
  for (const [name, length] of Object.entries(lengths)) {
    byName.set(name, bytes.subarray(end, end + length))
    end += length
  }
  return { version, byName }
}

/** What PDF.js asks for data that is not in the PDF. It gets a CMap of the list or nothing: no name is ever a path. */
export class PredefinedCMapFactory {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const cmap = kind === 'cMapUrl' ? predefinedCMaps().byName.get(filename.replace(/\.bcmap$/, '')) : undefined
    if (cmap === undefined) throw new Error(`There is no ${kind} of this name.`)
    return cmap
  }
}
