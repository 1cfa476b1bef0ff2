/**
 * For the processes that run tests: most functions of PGlite are optimized later, or never. Its largest is optimized all the same
 * (see `unoptimizedDatabaseFlags`), and many queries are worth it.
 */
export const briefDatabaseFlag = '--wasm-tiering-budget=300000000'
