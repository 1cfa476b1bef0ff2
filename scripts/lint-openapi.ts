// Checks openapi/api.json with Redocly's rules (redocly.yaml), and it and openapi/asyncapi.json with Spectral's (.spectral.yaml).
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { redocly, toolPackagesOrNull } from './tool-packages.ts'

const pathOf = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url))

type Operation = { responses: Record<string, unknown> }

/**
 * The OpenAPI document with each error response once: of some 2,300 only 60 differ, and Spectral would check the examples of
 * each, for 20 s instead of 5.
 */
function withoutRepeatedResponses(text: string): object {
  const document = JSON.parse(text) as { paths: Record<string, Record<string, Operation>> }
  const seen = new Set<string>()
  for (const { responses } of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    for (const [status, response] of Object.entries(responses)) {
      const known = JSON.stringify(response)
      if (Number(status) >= 400 && seen.has(known)) delete responses[status]
      seen.add(known)
    }
  }
  return document
}

function runRedocly(packages: string): number {
  const program = join(packages, 'node_modules', redocly.program)
  const args = [program, 'lint', pathOf('openapi/api.json'), '--config', pathOf('redocly.yaml')]
  return spawnSync(process.execPath, args, { stdio: 'inherit', env: redocly.env }).status ?? 1
}

function runSpectral(packages: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-spectral-'))
  try {
    const openApi = join(folder, 'api.json')
    writeFileSync(openApi, JSON.stringify(withoutRepeatedResponses(readFileSync(pathOf('openapi/api.json'), 'utf8'))))
    const program = join(packages, 'node_modules/@stoplight/spectral-cli/dist/index.js')
    const options = ['--ruleset', pathOf('.spectral.yaml'), '--fail-severity=error', '--display-only-failures']
    const args = [program, 'lint', openApi, pathOf('openapi/asyncapi.json'), ...options]
    return spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const packages = await toolPackagesOrNull('openapi', 'NOT CHECKED: the rules of OpenAPI.')
if (packages !== null) process.exitCode = runRedocly(packages) || runSpectral(packages)
