// node scripts/node24.js scripts/compiling-start.ts keep|try: starts the service and stops it once it serves. `keep` keeps the
// machine code of PGlite that this took, `try` fails if the service cannot use it. See compile-pglite.ts.
import { chmodSync, globSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import {
  type CompiledPglite,
  compiledPglite,
  compiledPgliteFile,
  internalOfV8,
  readPglite,
} from '../src/storage/compiled-pglite.ts'

// TypeScript knows it only in browsers.
declare const WebAssembly: { Module: new (bytes: Uint8Array) => CompiledPglite }

type Serialize = (module: CompiledPglite) => ArrayBuffer

function keepAtExit(): void {
  // Only the optimizing compiler makes code that can be kept: it compiles each function at its first call now.
  setFlagsFromString('--no-liftoff')
  // PGlite compiles the same bytes, and V8 compiles the same bytes once.
  const module = new WebAssembly.Module(readPglite())
  process.on('exit', (code) => {
    // V8 takes code only from processes with its own flags.
    setFlagsFromString('--liftoff')
    if (code === 0) keep(internalOfV8<Serialize>('(module) => %SerializeWasmModule(module)')(module))
  })
}

/** All of it or nothing: V8 trusts what it reads. */
function keep(code: ArrayBuffer): void {
  for (const old of globSync(join(dirname(compiledPgliteFile), 'pglite-*'))) rmSync(old)
  const draft = `${compiledPgliteFile}.${process.pid}`
  writeFileSync(draft, new Uint8Array(code), { flush: true })
  // It holds no secrets, and another user than the one who installed the packages may start the service.
  chmodSync(draft, 0o644)
  renameSync(draft, compiledPgliteFile)
}

const [task] = process.argv.splice(2)
if (task === 'keep') keepAtExit()
else if (compiledPglite() === null) throw new Error('V8 does not take the machine code of PGlite that was just kept.')
await import('../src/main.ts')
process.emit('SIGTERM')
