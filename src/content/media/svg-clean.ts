import { SaxesParser, type SaxesTagNS } from 'saxes'
import { allowedAttributes, allowedElements, isAllowedLink, isAllowedStyle, rootPixels } from './svg.rules.ts'
import { elementCounter } from './svg-element-count.rules.ts'

const svgNamespace = 'http://www.w3.org/2000/svg'
const xlinkNamespace = 'http://www.w3.org/1999/xlink'
const depthMax = 64
const elementsMax = 50_000
/** Counting each `use` as the elements that it shows. */
const shownElementsMax = 100_000

export type CleanSvg = { text: string; width: number | null; height: number | null }

/** Thrown with a message for the uploader. */
export class BadSvg extends Error {}

/**
 * Writes the SVG again with allowed elements and attributes only. Throws BadSvg for a file that is not an SVG, declares
 * entities (which can grow without bound or read files), or is too deep or too large. Idempotent.
 */
export function cleanSvg(source: string): CleanSvg {
  const parser = new SaxesParser({ xmlns: true })
  const shown = elementCounter()
  const out: string[] = []
  /** Open elements that were written, by name. Nothing below an omitted element is written. */
  const open: string[] = []
  const state = { dropped: 0, elements: 0, depth: 0, root: null as CleanSvg | null, style: '' }

  parser.on('error', (error) => {
    throw new BadSvg(`is not well-formed XML: ${error.message.slice(0, 120)}`)
  })
  // Drawing programs write the plain DOCTYPE of SVG 1.1. It names a file that is never read, and is left out.
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) throw new BadSvg('has declarations in its DOCTYPE, which an SVG here may not')
  })
  parser.on('opentag', (tag) => {
    if (++state.elements > elementsMax) throw new BadSvg(`has more than ${elementsMax} elements`)
    if (++state.depth > depthMax) throw new BadSvg(`is nested deeper than ${depthMax} levels`)
    const isRoot = state.root === null
    if (isRoot) state.root = rootSize(tag)
    const name = outputName(tag, open.at(-1))
    if (state.dropped > 0 || !isAllowed({ ...tag, local: name }, isRoot)) {
      state.dropped++
      return
    }
    out.push(`<${name}${isRoot ? ` xmlns="${svgNamespace}"` : ''}${allowedAttributeText(tag)}>`)
    open.push(name)
    shown.begin(tag.attributes['id']?.value ?? null, tag.local === 'use' ? useTarget(tag) : null)
  })
  parser.on('closetag', () => {
    state.depth--
    if (state.dropped > 0) {
      state.dropped--
      return
    }
    shown.end()
    const name = open.pop()
    // A style sheet is checked as a whole: in pieces it could hide something across a cut.
    if (name === 'style' && isAllowedStyle(state.style)) out.push(escapeText(state.style))
    state.style = ''
    out.push(`</${name}>`)
  })
  const write = (text: string) => {
    if (state.dropped > 0 || open.length === 0) return
    if (open.at(-1) === 'style') state.style += text
    else out.push(escapeText(text))
  }
  parser.on('text', write)
  parser.on('cdata', write)
  parser.write(source.replace(/^\ufeff/, '')).close()
  if (!shown.isWithin(shownElementsMax)) throw new BadSvg('shows its own parts too many times')
  if (state.root === null) throw new BadSvg('is not an SVG')
  return { ...(state.root as CleanSvg), text: `${out.join('')}\n` }
}

function rootSize(tag: SaxesTagNS): CleanSvg {
  if (tag.local !== 'svg' || tag.uri !== svgNamespace)
    throw new BadSvg(`is not an SVG: its root is ${tag.name.slice(0, 40)}`)
  const said = Object.fromEntries(Object.values(tag.attributes).map(({ name, value }) => [name, value]))
  return { text: '', ...rootPixels(said) }
}

function useTarget({ attributes }: SaxesTagNS): string | null {
  const link = Object.values(attributes).find(({ local }) => local === 'href')
  return link === undefined ? null : link.value.trim().slice(1)
}

/** A link is dropped, but its content stays: it becomes a group, or a `tspan` within text. */
function outputName({ local, uri }: SaxesTagNS, parent: string | undefined): string {
  if (local !== 'a' || uri !== svgNamespace) return local
  return parent === 'text' || parent === 'tspan' || parent === 'textPath' ? 'tspan' : 'g'
}

function isAllowed({ local, uri }: Pick<SaxesTagNS, 'local' | 'uri'>, isRoot: boolean): boolean {
  return uri === svgNamespace && allowedElements.has(local) && (local !== 'svg' || isRoot)
}

function allowedAttributeText({ local: element, attributes }: SaxesTagNS): string {
  const written = new Set<string>()
  return Object.values(attributes)
    .filter(({ local, uri, value }) => {
      if (uri !== '' && !(uri === xlinkNamespace && local === 'href')) return false
      if (!allowedAttributes.has(local) || written.has(local)) return false
      if (local === 'href' ? !isAllowedLink(element, value) : !isAllowedStyle(value)) return false
      written.add(local)
      return true
    })
    .map(({ local, value }) => ` ${local}="${escapeAttribute(value)}"`)
    .join('')
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;')
}

/** Parsers turn other white space in attribute values into plain spaces. */
function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('\t', '&#9;').replaceAll('\n', '&#10;')
}
