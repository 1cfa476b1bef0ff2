import semver from 'semver'
import type { Channel } from './version.rules.ts'

type SemanticVersion = { version: string; precedence: string; channel: Channel }

/** Reads a semantic version, also with a leading v. Null for any other text. `channel` follows from the prerelease. */
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
 * Compares byte by byte as the versions compare. A number is preceded by its length. A numeric part starts with 0 and
 * sorts before a word, which starts with 1. `!` ends each part and sorts before any character of one. A release ends in
 * `~`, which sorts after every prerelease.
 */
function sortKey({ major, minor, patch, prerelease }: semver.SemVer): string {
  const parts = prerelease.map((part) => (/^\d+$/.test(String(part)) ? `0${withLengthPrefix(part)}!` : `1${part}!`))
  return `${[major, minor, patch].map(withLengthPrefix).join('')}${parts.length === 0 ? '~' : parts.join('')}`
}

function withLengthPrefix(number: string | number): string {
  return `${String(number).length.toString().padStart(3, '0')}${number}`
}
