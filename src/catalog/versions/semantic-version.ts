import semver from 'semver'
import type { Channel } from './version.rules.ts'

type ReadVersion = { version: string; precedence: string; channel: Channel }

/** A version as semver.org writes it, also from `v1.2.3`; null for any other text. `channel` is the one it names itself. */
export function readVersion(text: string): ReadVersion | null {
  const read = semver.parse(text.trim())
  if (read === null) return null
  const { prerelease, build } = read
  const version = build.length === 0 ? read.version : `${read.version}+${build.join('.')}`
  return { version, precedence: precedenceOf(read), channel: channelOf(prerelease) }
}

function channelOf(prerelease: readonly (string | number)[]): Channel {
  if (prerelease.length === 0) return 'stable'
  return prerelease.some((part) => /nightly|dev|canary|snapshot/i.test(String(part))) ? 'nightly' : 'beta'
}

/**
 * A text that is less than another exactly where the version is, compared byte by byte: numbers carry their length
 * before them, numbers come before words, `!` ends each part (before any character of one), and `~` stands where there
 * is no prerelease (after any of them).
 */
function precedenceOf({ major, minor, patch, prerelease }: semver.SemVer): string {
  const parts = prerelease.map((part) => (/^\d+$/.test(String(part)) ? `0${sized(part)}!` : `1${part}!`))
  return `${[major, minor, patch].map(sized).join('')}${parts.length === 0 ? '~' : parts.join('')}`
}

function sized(number: string | number): string {
  return `${String(number).length.toString().padStart(3, '0')}${number}`
}
