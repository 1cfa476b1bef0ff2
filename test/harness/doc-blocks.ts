import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

export type DocBlock = { file: string; language: string; text: string }

/** All fenced blocks of a page. A block in a list is indented, and its text is not. */
export function docBlocks(file: string): DocBlock[] {
  const page = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
  return [...page.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)].map(([, indent = '', language = '', text = '']) => ({
    file,
    language,
    text: text
      .split('\n')
      .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
      .join('\n'),
  }))
}

/** The first block of that language in the file, or of the part of it under the heading. */
export function docBlock(file: string, language: string, heading = ''): string {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
  const found = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(text.slice(text.indexOf(heading)))
  return found?.[1] ?? assert.fail(`${file} has no ${language} block`)
}
