import { ExtractionError, pagesMax } from '../extraction.ts'
import { type Archive, openOffice } from '../zip-directory.ts'
import type { FileReader } from './file-reader.ts'
import { isInNotes, isOnSlide, type ShapeOutput, shapeReader } from './pptx-shapes.ts'
import { decodeXml, parseXml } from './xml.ts'

const officeDocument = 'officeDocument'
const notesSlide = 'notesSlide'

/** Slides in the order of the presentation, each with its title, its texts and tables, and its notes. `page` is the slide. */
export const readPptx: FileReader = async (bytes, { list, onPage }) => {
  const archive = await openOffice(bytes)
  const presentation = (await relatedParts(archive, '')).find(({ type }) => type === officeDocument)?.path
  const slides = await slidePaths(archive, presentation ?? 'ppt/presentation.xml')
  if (slides.length > pagesMax)
    throw new ExtractionError('TOO_LONG', `The presentation has more than ${pagesMax} slides.`)
  for (const [index, path] of slides.entries()) {
    const page = index + 1
    await addPart(archive, path, { page, list, isShown: isOnSlide })
    for (const related of await relatedParts(archive, path))
      if (related.type === notesSlide) await addPart(archive, related.path, { page, list, isShown: isInNotes })
    onPage(page, slides.length)
  }
  return { pages: slides.length }
}

type Related = { id: string; type: string; path: string }

/** What a part refers to within the file. Links to other files and to the network are left out: nothing follows them. */
async function relatedParts(archive: Archive, path: string): Promise<Related[]> {
  const slash = path.lastIndexOf('/')
  const folder = path.slice(0, slash + 1)
  const bytes = await archive.read(`${folder}_rels/${path.slice(slash + 1)}.rels`)
  if (bytes === null) return []
  const related: Related[] = []
  parseXml(decodeXml(bytes), {
    open: ({ local, attributes }) => {
      const { Id, Type, Target, TargetMode } = attributes
      if (local !== 'Relationship' || TargetMode?.value === 'External') return
      const type = Type?.value ?? ''
      related.push({
        id: Id?.value ?? '',
        type: type.slice(type.lastIndexOf('/') + 1),
        path: resolvePath(folder, Target?.value ?? ''),
      })
    },
  })
  return related
}

function resolvePath(folder: string, target: string): string {
  const names: string[] = []
  for (const name of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return names.join('/')
}

async function slidePaths(archive: Archive, presentation: string): Promise<string[]> {
  const bytes = await archive.read(presentation)
  if (bytes === null) throw new ExtractionError('BROKEN', 'The file contains no presentation.')
  const pathById = new Map((await relatedParts(archive, presentation)).map(({ id, path }) => [id, path]))
  const paths: string[] = []
  parseXml(decodeXml(bytes), {
    open: ({ local, attributes }) => {
      if (local !== 'sldId') return
      const id = Object.values(attributes).find((attribute) => attribute.local === 'id' && attribute.prefix !== '')
      const path = pathById.get(id?.value ?? '')
      if (path !== undefined && archive.names.has(path)) paths.push(path)
    },
  })
  return paths
}

async function addPart(archive: Archive, path: string, output: ShapeOutput): Promise<void> {
  const bytes = await archive.read(path)
  if (bytes !== null) parseXml(decodeXml(bytes), shapeReader(output))
}
