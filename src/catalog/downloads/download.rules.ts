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

export type DownloadFault = { path: string; code: string; message: string }

/** Why nobody could get the download, or null if somebody can. */
export function findDownloadFault({ mediaId, externalUrl, installCommand }: DownloadFields): DownloadFault | null {
  if (mediaId !== null && externalUrl !== null)
    return {
      path: '/body/externalUrl',
      code: 'either',
      message: 'cannot be combined with `mediaId`',
    }
  if (externalUrl !== null && !isHttps(externalUrl))
    return { path: '/body/externalUrl', code: 'format', message: 'must be an https address without a password' }
  if (mediaId === null && externalUrl === null && installCommand === null)
    return {
      path: '/body/mediaId',
      code: 'required',
      message: 'is required unless `externalUrl` or `installCommand` is set',
    }
  return null
}

/** Fit for a `Location` header: no spaces, no control characters, and no credentials, which everybody could read. */
function isHttps(address: string): boolean {
  if (!/^https:\/\/[\x21-\x7e]+$/.test(address) || !URL.canParse(address)) return false
  const { username, password } = new URL(address)
  return username === '' && password === ''
}
