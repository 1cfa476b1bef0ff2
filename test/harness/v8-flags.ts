/**
 * For the processes that run tests: most functions of PGlite are optimized later, or never. Its largest is optimized all the same
 * (below), and many queries are worth it.
 */
export const briefDatabaseFlag = '--wasm-tiering-budget=300000000'

/**
 * For processes that tests start, which make few queries. PGlite's largest function counts as if each call ran all of it, so
 * that no budget lasts: to optimize it takes two seconds of a processor and 640 MB, for which a process also waits at its end.
 */
export const unoptimizedDatabaseFlags = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']
