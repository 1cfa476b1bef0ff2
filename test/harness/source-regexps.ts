import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Node, SourceFile } from 'typescript/unstable/ast'
import { isCallExpression, isIdentifier, isNewExpression, isRegularExpressionLiteral } from 'typescript/unstable/ast/is'
import { API } from 'typescript/unstable/sync'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** `at`: the file and the line, from 1. */
export type SourceRegexp = { at: string; regexp: RegExp }

export type SourceRegexps = {
  literals: SourceRegexp[]
  /** Where others are constructed. */
  constructions: string[]
}

/** The regular expressions of what runs in production. TypeScript's own parser finds them. */
export function readRegexps(): SourceRegexps {
  const compiler = new API({ cwd: root })
  try {
    const [project] = compiler.updateSnapshot({ openProjects: [`${root}/tsconfig.json`] }).getProjects()
    if (!project) throw new Error(`No TypeScript project in ${root}`)
    const found: SourceRegexps = { literals: [], constructions: [] }
    for (const path of project.rootFiles) {
      const file = relative(root, path)
      const source = project.program.getSourceFile(path)
      if (/^(src|agent)\//.test(file) && !file.endsWith('.test.ts') && source) collect(source, file, found)
    }
    return found
  } finally {
    compiler.close()
  }
}

function collect(source: SourceFile, file: string, found: SourceRegexps): void {
  const placeOf = (node: Node) => `${file}:${source.text.slice(0, node.getStart(source)).split('\n').length}`
  const visit = (node: Node): void => {
    if (isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      const regexp = new RegExp(node.text.slice(1, end), node.text.slice(end + 1))
      found.literals.push({ at: placeOf(node), regexp })
    }
    const isCall = isCallExpression(node) || isNewExpression(node)
    if (isCall && isIdentifier(node.expression) && node.expression.text === 'RegExp')
      found.constructions.push(placeOf(node))
    node.forEachChild(visit)
  }
  visit(source)
}

/** The regular expressions that a file constructs while it is loaded. It is loaded once more for this. */
export async function constructedAtLoad(file: string): Promise<SourceRegexp[]> {
  const url = `${pathToFileURL(root + file)}?constructed`
  const found: SourceRegexp[] = []
  const original = globalThis.RegExp
  const note = (regexp: RegExp): RegExp => {
    // The innermost line of the file: a function there may construct for several.
    const line = new Error().stack?.split('\n').find((frame) => frame.includes(url))
    const number = line?.slice(line.indexOf(url) + url.length + 1).split(':')[0]
    if (number !== undefined) found.push({ at: `${file}:${number}`, regexp })
    return regexp
  }
  globalThis.RegExp = new Proxy(original, {
    construct: (target, given) => note(Reflect.construct(target, given)),
    apply: (target, self, given) => note(Reflect.apply(target, self, given)),
  })
  try {
    await import(url)
  } finally {
    globalThis.RegExp = original
  }
  return found
}
