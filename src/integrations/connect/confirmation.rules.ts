import { type RandomBytes, randomBase32, sha256Digest } from '../../kernel/checksum.ts'

/** 60 bits, of which somebody can try five: enough, and short enough to be typed. */
const length = 12

/** A code that a person can type: `7K2Q-9XZB-4M1T`. */
export function newConfirmation(random: RandomBytes): string {
  return (randomBase32(length, random).match(/.{4}/g) ?? []).join('-')
}

/** What is stored of it. Case, hyphens and spaces do not count. */
export function confirmationHash(text: string): Buffer {
  return sha256Digest(text.replace(/[\s-]/g, '').toUpperCase())
}

/** Whether a text has the form of a confirmation. */
export function isConfirmation(text: string): boolean {
  return /^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/.test(text)
}
