import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { compiledPglite } from './compiled-pglite.ts'

test('this process runs the machine code of PGlite that was kept', () => {
  assert.notEqual(
    compiledPglite(),
    null,
    'Run `npm run prepare`. Otherwise V8 was given flags that the service has not.',
  )
})

test('V8 refuses the code where its flags are different', async () => {
  const program = `
    const { compiledPglite } = await import(${JSON.stringify(import.meta.resolve('./compiled-pglite.ts'))})
    console.log(compiledPglite())`
  const args = ['--no-wasm-inlining', '--input-type=module', '-e', program]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  assert.equal(stdout, 'null\n', 'PGlite is compiled again')
})
