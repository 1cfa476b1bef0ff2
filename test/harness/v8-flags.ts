/**
 * For processes of tests. Their databases live for moments, and to optimize PGlite's largest functions takes seconds of a
 * processor. A service needs that.
 */
export const briefDatabaseFlag = '--wasm-tiering-budget=300000000'

/**
 * For processes that tests start, which make few queries. PGlite's largest function counts as if each call ran all of it, so
 * that no budget lasts: to optimize it takes two seconds of a processor and 640 MB, for which a process also waits at its end.
 */
export const unoptimizedDatabaseFlags = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']
