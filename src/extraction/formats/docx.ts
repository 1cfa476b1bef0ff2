import mammoth from 'mammoth'
import { openOffice } from '../zip-directory.ts'
import type { FileReader } from './file-reader.ts'
import { addHtml } from './html.ts'
import { decodeXml, parseXml } from './xml.ts'

/** Word's own styles that mammoth does not take for headings. */
const styleMap = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => h2:fresh"]

export const readDocx: FileReader = async (bytes, { list }) => {
  const { value } = await mammoth.convertToHtml(await mammothInput(bytes), {
    styleMap,
    // A document could bring a map that hides its text.
    includeEmbeddedStyleMap: false,
    externalFileAccess: false,
    convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
  })
  addHtml(value, list)
  return { pages: null }
}

/**
 * What mammoth reads a document from. It takes any object with these two functions in place of a file that it would unpack
 * itself, so it gets only parts that were checked: XML without declarations and of bounded size, and no image.
 */
async function mammothInput(bytes: Uint8Array): Promise<{ buffer: Buffer }> {
  const archive = await openOffice(bytes)
  const file = {
    exists: (name: string) => archive.names.has(name) && isXml(name),
    read: async (name: string) => {
      const xml = decodeXml((await archive.read(name)) ?? new Uint8Array())
      parseXml(xml, {})
      return xml
    },
  }
  return { file } as unknown as { buffer: Buffer }
}

function isXml(name: string): boolean {
  return /\.(?:xml|rels)$/i.test(name)
}
