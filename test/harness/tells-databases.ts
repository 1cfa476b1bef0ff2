import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'

// The only ways in which a test learns which database is meant.
const asks = /ATRIUM_TEST_DATABASE|TEST_DATABASE_URL/
const imported = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+\.ts)'/g

/**
 * Which of the files behave differently from database to database: those that ask which one it is, or import what asks,
 * however far away. All others do the same on each, and need to run once.
 */
export function thatTellDatabases(files: readonly string[]): string[] {
  const read = new Map<string, { asks: boolean; imports: string[] }>()

  const facts = (file: string) => {
    const known = read.get(file)
    if (known) return known
    const text = readFileSync(file, 'utf8')
    const paths = [...text.matchAll(imported)].map(([, path = '']) => join(dirname(file), path))
    const found = { asks: asks.test(text), imports: paths.filter((path) => existsSync(path)) }
    read.set(file, found)
    return found
  }

  return files.filter((file) => {
    const seen = new Set([file])
    // A set goes on over what is added to it meanwhile.
    for (const one of seen) {
      if (facts(one).asks) return true
      for (const path of facts(one).imports) seen.add(path)
    }
    return false
  })
}
