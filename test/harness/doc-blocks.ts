import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

/** The first block of that language in the file, or of the part of it under the heading. */
export function docBlock(file: string, language: string, heading = ''): string {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
  const found = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(text.slice(text.indexOf(heading)))
  return found?.[1] ?? assert.fail(`${file} has no ${language} block`)
}
