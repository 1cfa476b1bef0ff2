import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInThisContext } from 'node:vm'

// The embedded database is a WebAssembly module of 9 MB. What V8 compiles of it is lost at the end of each process, so `npm ci`
// keeps it in a file, as Node keeps the compiled code of JavaScript: docs/decisions/0029-compiled-pglite.md.

// What compiles WebAssembly keeps its memory, once for each thread: some 40 MB with the usual four.
setFlagsFromString('--wasm-num-compilation-tasks=1')

const packageFolder = fileURLToPath(new URL('..', import.meta.resolve('@electric-sql/pglite')))

export const pgliteVersion = (JSON.parse(readFileSync(`${packageFolder}package.json`, 'utf8')) as { version: string })
  .version

/** PGlite's WebAssembly, not compiled. */
export const readPglite = (): Uint8Array => readFileSync(`${packageFolder}dist/pglite.wasm`)

/** Where the compiled code is kept. For other flags of V8 or another processor V8 itself refuses what it finds there. */
export const compiledPgliteFile = fileURLToPath(
  new URL(
    `../../node_modules/.cache/atrium/pglite-${pgliteVersion}-node-${process.versions.node}-${process.arch}.code`,
    import.meta.url,
  ),
)

/** A `WebAssembly.Module`: TypeScript knows it only in browsers. */
export type CompiledPglite = object

let compiled: CompiledPglite | null | undefined

/** PGlite with the compiled code that `npm ci` kept, or null: then V8 compiles what is called, as it is called. */
export function compiledPglite(): CompiledPglite | null {
  // Asked once, also for nothing.
  if (compiled === undefined) compiled = readCompiled()
  return compiled
}

function readCompiled(): CompiledPglite | null {
  try {
    const { buffer } = readFileSync(compiledPgliteFile)
    return (
      internalOfV8<Deserialize>('(code, bytes) => %DeserializeWasmModule(code, bytes)')(buffer, readPglite()) ?? null
    )
  } catch {
    return null
  }
}

// It gives nothing if this process cannot use the code.
type Deserialize = (code: ArrayBufferLike, bytes: Uint8Array) => CompiledPglite | undefined

/**
 * A function around one of those that V8 has for its own tests, such as `%SerializeWasmModule`. Call it at once: V8 may compile it
 * again later, and the flag for it is not set any longer then.
 */
export function internalOfV8<F>(arrow: string): F {
  setFlagsFromString('--allow-natives-syntax')
  try {
    // In parentheses a function is compiled where it stands, and not when it is first called.
    return runInThisContext(`(${arrow})`) as F
  } finally {
    setFlagsFromString('--no-allow-natives-syntax')
  }
}
