import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Node, SourceFile } from 'typescript/unstable/ast'
import {
  isBinaryExpression,
  isImportDeclaration,
  isJsxAttribute,
  isJsxText,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isStringLiteral,
  isTemplateExpression,
  isTypeNode,
} from 'typescript/unstable/ast/is'
import { API } from 'typescript/unstable/sync'

const root = fileURLToPath(new URL('../..', import.meta.url))

type Catalog = { file: string; names: string[]; used: Set<string> }

export type ConsoleWords = {
  /** Texts in the sources of the console that look like words for people and are in no catalog. */
  strays: { at: string; text: string }[]
  /** Of each folder: the names of its words, and those that the folder uses. */
  catalogs: Catalog[]
}

/** TypeScript's own parser finds them. */
export function readConsoleWords(): ConsoleWords {
  const compiler = new API({ cwd: root })
  try {
    const project = `${root}console/tsconfig.json`
    const [opened] = compiler.updateSnapshot({ openProjects: [project] }).getProjects()
    if (!opened) throw new Error(`No TypeScript project in ${project}`)
    const strays: ConsoleWords['strays'] = []
    const catalogs: Catalog[] = []
    const used = new Map<string, Set<string>>()
    for (const path of opened.rootFiles) {
      const file = relative(root, path)
      const source = opened.program.getSourceFile(path)
      if (!file.startsWith('console/src/') || !source) continue
      const folder = file.slice(0, file.lastIndexOf('/'))
      if (!used.has(folder)) used.set(folder, new Set())
      const names = used.get(folder) ?? new Set()
      if (file.endsWith('/words.ts')) catalogs.push({ file, names: catalogNames(source), used: names })
      else collect(source, { file, strays, names })
    }
    return { strays, catalogs }
  } finally {
    compiler.close()
  }
}

/** Those of the outer object: members of others are found by a code. */
function catalogNames(source: SourceFile): string[] {
  const names: string[] = []
  const visit = (node: Node): void => {
    if (isPropertyAssignment(node)) names.push(node.name.getText(source))
    else node.forEachChild(visit)
  }
  visit(source)
  return names
}

type Found = { file: string; strays: ConsoleWords['strays']; names: Set<string> }

function collect(source: SourceFile, { file, strays, names }: Found): void {
  const note = (node: Node, text: string) =>
    strays.push({ at: `${file}:${source.text.slice(0, node.getStart(source)).split('\n').length}`, text: text.trim() })
  const visit = (node: Node): void => {
    if (isProgramText(node)) return
    if (isPropertyAccessExpression(node) && node.expression.getText(source) === 'words')
      names.add(node.name.getText(source))
    if (isJsxText(node) && /[a-z]/i.test(node.text)) note(node, node.text)
    if (isJsxAttribute(node) && isRead(node.name.getText(source))) {
      if (node.initializer && isStringLiteral(node.initializer)) note(node, node.initializer.text)
      node.initializer?.forEachChild(visit)
      return
    }
    if ((isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) && looksLikeWords(node.text))
      note(node, node.text)
    if (isTemplateExpression(node)) {
      const text = node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
      if (looksLikeWords(text)) note(node, text)
    }
    node.forEachChild(visit)
  }
  visit(source)
}

/** No reader sees it: imports, types, classes of styles, comparisons with keys of the keyboard, faults of the program. */
function isProgramText(node: Node): boolean {
  return (
    isImportDeclaration(node) ||
    isTypeNode(node) ||
    (isJsxAttribute(node) && node.name.getText() === 'className') ||
    (isBinaryExpression(node) && node.operatorToken.getText().startsWith('==')) ||
    isNewExpression(node)
  )
}

/** Attributes that are shown or read aloud. */
function isRead(attribute: string): boolean {
  return ['label', 'title', 'hint', 'placeholder', 'description', 'aria-label', 'alt', 'none'].includes(attribute)
}

/** Begins with a capital, or has two words. */
function looksLikeWords(text: string): boolean {
  return /^[A-Z]-?[a-z]/.test(text) || /(^|[\s…])[A-Za-z]{2,} [A-Za-z]{2,}/.test(text)
}
