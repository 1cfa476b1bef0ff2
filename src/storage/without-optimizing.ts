import { setFlagsFromString } from 'node:v8'

/**
 * V8 optimizes none of PGlite's functions. Its largest counts as if each call ran all of it, so that no budget lasts: to optimize
 * it takes two seconds of a processor and 640 MB, for which a process also waits at its end.
 */
export const unoptimizedDatabaseFlags = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']

/** For commands that end soon. Half a million rows can be written in the time that this saves; more take a quarter longer. */
export function withoutOptimizing(): void {
  for (const flag of unoptimizedDatabaseFlags) setFlagsFromString(flag)
}
