export { Atrium, type AtriumOptions } from './atrium.ts'
export { LicenseError, type LicenseErrorCode } from './errors.ts'
export * from './shared.ts'
export type { TokenStore, Tokens } from './tokens.ts'
