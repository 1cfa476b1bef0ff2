// Biome with the arguments given: `npm run check` and `npm run format`. Its program is 65 MB, so it is not in every checkout.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { toolPackagesOrNull } from './tool-packages.ts'

const packages = await toolPackagesOrNull('biome', 'NOT CHECKED: format and lint.')
if (packages !== null) {
  const program = join(packages, 'node_modules/@biomejs/biome/bin/biome')
  process.exitCode = spawnSync(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1
}
