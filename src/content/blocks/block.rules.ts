import { addressProblem } from '../address.rules.ts'

export const blockTypes = ['text', 'markdown', 'json', 'url', 'boolean', 'number'] as const
export type BlockType = (typeof blockTypes)[number]

export const keyPattern = '^[a-z0-9][a-z0-9_.-]*$'
export const keyLengthMax = 200
export const defaultLocale = 'en'
const localeLengthMax = 35 // RFC 5646 section 4.4.1: room for what is in use

const lengthsMax = { text: 20_000, markdown: 100_000, json: 100_000 }

/** What an administrator sets in a block. */
export type BlockContentFields = { type: BlockType; value: unknown; description: string | null }

export type Block = BlockContentFields & {
  id: string
  key: string
  locale: string
  html: string | null
  revision: number
  createdAt: Date
  updatedAt: Date
}

const keyForm = new RegExp(keyPattern)

export function isBlockKey(text: string): boolean {
  return text.length <= keyLengthMax && keyForm.test(text)
}

/** A language tag in canonical form (`EN-us` becomes `en-US`); null for anything else. */
export function readLocale(text: string): string | null {
  if (text.length > localeLengthMax) return null
  try {
    const [locale] = Intl.getCanonicalLocales(text)
    return locale !== undefined && locale.length <= localeLengthMax ? locale : null
  } catch {
    return null
  }
}

/** Why a value does not fit its type; null if it does. */
export function valueProblem(type: BlockType, value: unknown): string | null {
  switch (type) {
    case 'text':
    case 'markdown':
      return textProblem(value, lengthsMax[type])
    case 'url':
      return typeof value === 'string' ? addressProblem(value) : 'must be an address, as text'
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false'
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? null : 'must be a number'
    case 'json':
      return jsonProblem(value)
  }
}

function textProblem(value: unknown, lengthMax: number): string | null {
  if (typeof value !== 'string') return 'must be text'
  return value.length > lengthMax ? `may have ${lengthMax} characters at most` : null
}

function jsonProblem(value: unknown): string | null {
  if (!hasOnlyFiniteNumbers(value)) return 'holds a number that is too large'
  return JSON.stringify(value).length > lengthsMax.json
    ? `may have ${lengthsMax.json} characters of JSON at most`
    : null
}

/** JSON has no infinity, but 1e999 is parsed as Infinity and would be written as null. */
function hasOnlyFiniteNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(hasOnlyFiniteNumbers)
}
