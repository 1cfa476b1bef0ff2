import { readFileSync } from 'node:fs'
import { clientCompiles, generators } from '../harness/generated-client.ts'
import type { Row } from './row.ts'

const document = JSON.parse(readFileSync(new URL('../../openapi/api.json', import.meta.url), 'utf8'))

/** TypeScript clients of `openapi/api.json`, each by another generator: whether they compile strictly, with code that uses them. */
export async function generatedClients(_rounds: number, only?: string): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, generator] of Object.entries(generators)) {
    if (only !== undefined && name !== only) continue
    const { ok, output } = await clientCompiles(document, generator)
    if (!ok) console.error(`${name}\n${output}`)
    rows.push({ generator: name, broken: ok ? '' : 'it does not compile' })
  }
  return rows
}
