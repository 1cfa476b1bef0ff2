import semver from 'semver'
import type { Channel } from './version.rules.ts'

type SemanticVersion = { version: string; precedence: string; channel: Channel }

/** A version as semver.org writes it, also from `v1.2.3`; null for any other text. `channel` is the one it names itself. */
export function parseSemanticVersion(text: string): SemanticVersion | null {
  const read = semver.parse(text.trim())
  if (read === null) return null
  const { prerelease, build } = read
  const version = build.length === 0 ? read.version : `${read.version}+${build.join('.')}`
  return { version, precedence: sortKey(read), channel: defaultChannel(prerelease) }
}

function defaultChannel(prerelease: readonly (string | number)[]): Channel {
  if (prerelease.length === 0) return 'stable'
  return prerelease.some((part) => /nightly|dev|canary|snapshot/i.test(String(part))) ? 'nightly' : 'beta'
}

/**
 * A text that is less than another exactly where the version is, compared byte by byte: numbers carry their length
 * before them, numbers come before words, `!` ends each part (before any character of one), and `~` stands where there
 * is no prerelease (after any of them).
 */
function sortKey({ major, minor, patch, prerelease }: semver.SemVer): string {
  const parts = prerelease.map((part) => (/^\d+$/.test(String(part)) ? `0${withLengthPrefix(part)}!` : `1${part}!`))
  return `${[major, minor, patch].map(withLengthPrefix).join('')}${parts.length === 0 ? '~' : parts.join('')}`
}

function withLengthPrefix(number: string | number): string {
  return `${String(number).length.toString().padStart(3, '0')}${number}`
}
