import type { BlockList } from '../block-list.ts'
import type { XmlHandlers } from './xml.ts'

/** Of a placeholder its type, `body` where it names none; null of a shape that is no placeholder. */
type Placeholder = string | null

export type ShapeOutput = { list: BlockList; page: number; isShown: (placeholder: Placeholder) => boolean }

/** Dates, footers and numbers are the same on every slide. */
export const isOnSlide = (placeholder: Placeholder) => !['dt', 'ftr', 'sldNum', 'hdr'].includes(placeholder ?? '')
/** The other shapes of notes are a picture of the slide and what stands at the edge of the sheet. */
export const isInNotes = (placeholder: Placeholder) => placeholder === 'body'

/** Adds the texts of all shapes of a slide, also of those in groups and tables, in the order in which they are drawn. */
export function shapeReader({ list, page, isShown }: ShapeOutput): XmlHandlers {
  let placeholder: Placeholder = null
  let paragraphs: string[] = []
  let cells: string[] = []
  let text = ''
  let isText = false
  let isField = false

  const endShape = () => {
    const texts = paragraphs.filter((shown) => shown.trim() !== '')
    paragraphs = []
    if (!isShown(placeholder)) return
    if (placeholder === 'title' || placeholder === 'ctrTitle')
      return list.add({ kind: 'heading', level: 1, page, text: texts.join(' ') })
    const kind = placeholder === 'body' && texts.length > 1 ? 'list-item' : 'paragraph'
    for (const shown of texts) list.add({ kind, page, text: shown })
  }

  const openers = functionsByName<(type: string | undefined) => void>({
    sp: () => {
      placeholder = null
      paragraphs = []
    },
    ph: (type) => {
      placeholder = type === undefined || type === 'obj' ? 'body' : type
    },
    p: () => {
      text = ''
    },
    t: () => {
      isText = !isField
    },
    fld: (type) => {
      isField = type === 'slidenum'
    },
    br: () => {
      text += '\n'
    },
    tc: () => {
      paragraphs = []
    },
    tr: () => {
      cells = []
    },
  })
  const closers = functionsByName<() => void>({
    sp: endShape,
    p: () => void paragraphs.push(text),
    t: () => {
      isText = false
    },
    fld: () => {
      isField = false
    },
    tc: () => void cells.push(paragraphs.join(' ').replace(/\s+/g, ' ').trim()),
    tr: () => {
      list.add({ kind: 'table-row', page, text: cells.filter(Boolean).join(' | ') })
      paragraphs = []
    },
  })
  return {
    open: ({ local, attributes }) => openers.get(local)?.(attributes['type']?.value),
    close: ({ local }) => closers.get(local)?.(),
    text: (piece) => {
      if (isText) text += piece
    },
  }
}

/** A map, because the names come from the file, and `constructor` is one. */
function functionsByName<F>(functions: Record<string, F>): ReadonlyMap<string, F> {
  return new Map(Object.entries(functions))
}
