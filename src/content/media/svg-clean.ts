import { SaxesParser, type SaxesTagNS } from 'saxes'
import { allowedAttributes, allowedElements, isAllowedLink, isAllowedStyle, sizeOf } from './svg.rules.ts'
import { expansion } from './svg-expansion.rules.ts'

const svgNamespace = 'http://www.w3.org/2000/svg'
const xlinkNamespace = 'http://www.w3.org/1999/xlink'
const depthMax = 64
const elementsMax = 50_000
/** With each `use` in place of what it shows. */
const shownElementsMax = 100_000

export type CleanSvg = { text: string; width: number | null; height: number | null }

/** Thrown with what is wrong, for the person who sent it. */
export class BadSvg extends Error {}

/**
 * The drawing written anew from what was read of it: allowed elements and attributes alone, whatever else was there.
 * Throws BadSvg for what is no SVG, declares entities (they grow and read files), or is too deep or too large.
 * Cleaning what is clean changes nothing.
 */
export function cleanSvg(source: string): CleanSvg {
  const parser = new SaxesParser({ xmlns: true })
  const shown = expansion()
  const out: string[] = []
  /** Open elements that were written, by name; below one that was not, nothing is. */
  const open: string[] = []
  const state = { dropped: 0, elements: 0, depth: 0, root: null as CleanSvg | null, style: '' }

  parser.on('error', (error) => {
    throw new BadSvg(`is not well-formed XML: ${error.message.slice(0, 120)}`)
  })
  // The bare DOCTYPE of SVG 1.1, which drawing programs write, names a file that is never read; it is left out.
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) throw new BadSvg('has declarations in its DOCTYPE, which an SVG here may not')
  })
  parser.on('opentag', (tag) => {
    if (++state.elements > elementsMax) throw new BadSvg(`has more than ${elementsMax} elements`)
    if (++state.depth > depthMax) throw new BadSvg(`is nested deeper than ${depthMax} levels`)
    const isRoot = state.root === null
    if (isRoot) state.root = rootOf(tag)
    const name = nameOf(tag, open.at(-1))
    if (state.dropped > 0 || !isAllowed({ ...tag, local: name }, isRoot)) {
      state.dropped++
      return
    }
    out.push(`<${name}${isRoot ? ` xmlns="${svgNamespace}"` : ''}${attributesOf(tag)}>`)
    open.push(name)
    shown.begin(tag.attributes['id']?.value ?? null, tag.local === 'use' ? targetOf(tag) : null)
  })
  parser.on('closetag', () => {
    state.depth--
    if (state.dropped > 0) {
      state.dropped--
      return
    }
    shown.end()
    const name = open.pop()
    // A style sheet is judged as a whole: piece by piece it could be cut where it hides something.
    if (name === 'style' && isAllowedStyle(state.style)) out.push(escaped(state.style))
    state.style = ''
    out.push(`</${name}>`)
  })
  const write = (text: string) => {
    if (state.dropped > 0 || open.length === 0) return
    if (open.at(-1) === 'style') state.style += text
    else out.push(escaped(text))
  }
  parser.on('text', write)
  parser.on('cdata', write)
  parser.write(source.replace(/^\ufeff/, '')).close()
  if (!shown.isWithin(shownElementsMax)) throw new BadSvg('shows its own parts too many times')
  if (state.root === null) throw new BadSvg('is not an SVG')
  return { ...(state.root as CleanSvg), text: `${out.join('')}\n` }
}

function rootOf(tag: SaxesTagNS): CleanSvg {
  if (tag.local !== 'svg' || tag.uri !== svgNamespace)
    throw new BadSvg(`is not an SVG: its root is ${tag.name.slice(0, 40)}`)
  const said = Object.fromEntries(Object.values(tag.attributes).map(({ name, value }) => [name, value]))
  return { text: '', ...sizeOf(said) }
}

function targetOf({ attributes }: SaxesTagNS): string | null {
  const link = Object.values(attributes).find(({ local }) => local === 'href')
  return link === undefined ? null : link.value.trim().slice(1)
}

/** A link leads nowhere from here, but what it holds is part of the drawing: a group of shapes, or a run of letters. */
function nameOf({ local, uri }: SaxesTagNS, parent: string | undefined): string {
  if (local !== 'a' || uri !== svgNamespace) return local
  return parent === 'text' || parent === 'tspan' || parent === 'textPath' ? 'tspan' : 'g'
}

function isAllowed({ local, uri }: Pick<SaxesTagNS, 'local' | 'uri'>, isRoot: boolean): boolean {
  return uri === svgNamespace && allowedElements.has(local) && (local !== 'svg' || isRoot)
}

function attributesOf({ local: element, attributes }: SaxesTagNS): string {
  const written = new Set<string>()
  return Object.values(attributes)
    .filter(({ local, uri, value }) => {
      if (uri !== '' && !(uri === xlinkNamespace && local === 'href')) return false
      if (!allowedAttributes.has(local) || written.has(local)) return false
      if (local === 'href' ? !isAllowedLink(element, value) : !isAllowedStyle(value)) return false
      written.add(local)
      return true
    })
    .map(({ local, value }) => ` ${local}="${escapedValue(value)}"`)
    .join('')
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;')
}

/** A parser makes plain spaces of other ones in a value. */
function escapedValue(text: string): string {
  return escaped(text).replaceAll('\t', '&#9;').replaceAll('\n', '&#10;')
}
