/**
 * For processes of tests. Their databases live for moments, and to optimize PGlite's largest functions takes a second of a
 * processor. A service needs that.
 */
export const briefDatabaseFlag = '--wasm-tiering-budget=300000000'
