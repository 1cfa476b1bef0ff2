import type { Fitting } from '../../kernel/field-rules.ts'
import type { FieldError } from '../../kernel/refusal.ts'

export const downloadKinds = ['SDK', 'DESKTOP', 'MOBILE', 'CLI', 'DOC', 'OTHER'] as const
export const platforms = ['windows', 'macos', 'linux', 'ios', 'android', 'web', 'any'] as const
export const architectures = ['x64', 'arm64', 'universal', 'any'] as const

export type DownloadFields = {
  versionId: string | null
  kind: (typeof downloadKinds)[number]
  platform: (typeof platforms)[number]
  arch: (typeof architectures)[number]
  fileName: string | null
  sizeBytes: number | null
  /** Lower case hex. */
  sha256: string | null
  signature: string | null
  mediaId: string | null
  externalUrl: string | null
  packageManager: string | null
  installCommand: string | null
  requiresLicense: boolean
  isActive: boolean
  order: number
}

export const downloadDefaults: Omit<DownloadFields, 'kind'> = {
  versionId: null,
  platform: 'any',
  arch: 'any',
  fileName: null,
  sizeBytes: null,
  sha256: null,
  signature: null,
  mediaId: null,
  externalUrl: null,
  packageManager: null,
  installCommand: null,
  requiresLicense: false,
  isActive: true,
  order: 100,
}

/** Why nobody could get a download, or one with the given members; empty if somebody can. */
export function downloadFaults({ mediaId, externalUrl, installCommand }: Fitting<DownloadFields>): FieldError[] {
  const path = '/body/externalUrl'
  if (typeof externalUrl === 'string') {
    if (!isHttps(externalUrl)) return [{ path, code: 'format', message: 'must be an https address without a password' }]
    if (typeof mediaId === 'string') return [{ path, code: 'either', message: 'cannot be combined with `mediaId`' }]
  }
  if (mediaId !== null || externalUrl !== null || installCommand !== null) return []
  const message = 'is required unless `externalUrl` or `installCommand` is set'
  return [{ path: '/body/mediaId', code: 'required', message }]
}

/** Fit for a `Location` header: no spaces, no control characters, and no credentials, which everybody could read. */
function isHttps(address: string): boolean {
  if (!/^https:\/\/[\x21-\x7e]+$/.test(address) || !URL.canParse(address)) return false
  const { username, password } = new URL(address)
  return username === '' && password === ''
}
