import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../harness/service.ts'

const bundle = 'dist/service'
const isMissing = !existsSync(`${bundle}/sources.json`) && 'nothing is bundled here: run `npm run prepare`'

test('a start runs the bundle while its sources are as they were, and the sources otherwise', async () => {
  const folder = await temporaryFolder()
  for (const place of ['scripts', 'src', bundle]) mkdirSync(join(folder, place), { recursive: true })
  cpSync('scripts/node24.js', join(folder, 'scripts/node24.js'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const source = join(folder, 'src/main.ts')
  const said = () =>
    execFileSync(process.execPath, ['scripts/node24.js', 'src/main.ts'], { cwd: folder, encoding: 'utf8' })
  const bundleSources = () => {
    const { mtimeMs, size } = statSync(source)
    writeFileSync(
      join(folder, bundle, 'sources.json'),
      JSON.stringify([['src/main.ts', Math.trunc(mtimeMs / 1000), size]]),
    )
  }
  writeFileSync(source, "console.log('sources')")
  assert.equal(said(), 'sources\n')
  writeFileSync(join(folder, bundle, 'main.js'), "console.log('bundle')")
  bundleSources()
  assert.equal(said(), 'bundle\n')
  utimesSync(source, new Date(), new Date(0))
  assert.equal(said(), 'sources\n', 'another time')
  bundleSources()
  writeFileSync(source, "console.log('newer')")
  utimesSync(source, new Date(), new Date(0))
  assert.equal(said(), 'newer\n', 'another size')
  writeFileSync(join(folder, bundle, 'sources.json'), '{')
  assert.equal(said(), 'newer\n', 'a list cut short')
})

test('the bundle has every module of ours, and each finds the files beside its source', { skip: isMissing }, () => {
  const sources = JSON.parse(readFileSync(`${bundle}/sources.json`, 'utf8')) as [string, number, number][]
  const names = new Set(sources.map(([file]) => file))
  assert.ok(names.has('src/main.ts') && names.has('src/http/server.ts') && names.size > 1000, `${names.size} sources`)
  for (const chunk of ['main.js', 'app.js', 'backup.js']) {
    const code = readFileSync(`${bundle}/${chunk}`, 'utf8')
    assert.doesNotMatch(code, /import\.meta\.(?:dirname|filename|main)/)
    // What a module asks for beside itself lies beside its source.
    const addresses = [...code.matchAll(/new URL\("\.\.\/\.\.\/([^"]+)", import\.meta\.url\)/g)].map(([, file]) => file)
    for (const file of addresses) assert.ok(names.has(file as string), file)
    assert.equal(code.match(/import\.meta\.url/g)?.length ?? 0, addresses.length)
  }
})
