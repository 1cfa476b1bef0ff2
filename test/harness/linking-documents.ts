import type { DocumentType } from '../../src/extraction/document-type.ts'
import { docxFile, pptxFile, shape, wordParagraph } from './office-files.ts'
import { pdfFile } from './pdf-file.ts'

type LinkingDocument = { name: string; type: DocumentType; bytes: Buffer }

/** One file for each way in which a format can name another file, a path or an address; most say `own text` themselves. */
export function linkingDocuments(target: string): LinkingDocument[] {
  return [...wordFiles(target), ...presentations(target), ...pdfs(target), ...texts(target)]
}

function picture(attribute: string): string {
  return `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="x"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip ${attribute}="rIdX"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
}

function wordFiles(target: string): LinkingDocument[] {
  const own = wordParagraph('own text')
  const kinds = [
    'image',
    'subDocument',
    'styles',
    'numbering',
    'footnotes',
    'attachedTemplate',
    'oleObject',
    'hyperlink',
  ]
  return [
    ...['r:link', 'r:embed', 'r:id'].flatMap((attribute) =>
      [true, false].map((isExternal) => {
        const links = [{ id: 'rIdX', type: 'image', target, isExternal }]
        return {
          name: `${attribute} in Word`,
          type: 'docx' as const,
          bytes: docxFile(own + picture(attribute), { links }),
        }
      }),
    ),
    ...kinds.map((type) => {
      const links = [{ id: 'rIdX', type, target, isExternal: true }]
      const body = `${own}<w:subDoc r:id="rIdX"/><w:altChunk r:id="rIdX"/><w:object r:id="rIdX"/>`
      return { name: `${type} of Word`, type: 'docx' as const, bytes: docxFile(body, { links }) }
    }),
    { name: 'INCLUDETEXT in Word', type: 'docx', bytes: docxFile(own + includedText(target)) },
    {
      name: 'an entity in Word',
      type: 'docx',
      bytes: docxFile('', { others: [{ name: 'word/document.xml', content: externalEntity(target) }] }),
    },
  ]
}

function includedText(target: string): string {
  const field = (kind: string) => `<w:r><w:fldChar w:fldCharType="${kind}"/></w:r>`
  return `<w:p>${field('begin')}<w:r><w:instrText>INCLUDETEXT "${target}"</w:instrText></w:r>${field('separate')}${field('end')}</w:p>`
}

function externalEntity(target: string): string {
  return `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "${target}"><!ENTITY % p SYSTEM "${target}"> %p;]><x>&e;</x>`
}

function presentations(target: string): LinkingDocument[] {
  const drawn = `${shape(null, ['own text'])}<p:pic><p:blipFill><a:blip r:link="rIdX" r:embed="rIdX"/></p:blipFill></p:pic>`
  const links = (type: string, mode: string) =>
    `<Relationships><Relationship Id="rIdX" Type="http://x/${type}" Target="${target}"${mode}/></Relationships>`
  return [
    ...['image', 'notesSlide', 'video'].flatMap((type) =>
      ['', ' TargetMode="External"'].map((mode) => {
        const others = [{ name: 'ppt/slides/_rels/slide1.xml.rels', content: links(type, mode) }]
        return { name: `${type} of a slide`, type: 'pptx' as const, bytes: pptxFile([{ shapes: drawn }], others) }
      }),
    ),
    {
      name: 'an entity in a slide',
      type: 'pptx',
      bytes: pptxFile([{}], [{ name: 'ppt/slides/slide1.xml', content: externalEntity(target) }]),
    },
  ]
}

function pdfs(target: string): LinkingDocument[] {
  const own = 'BT /F1 11 Tf 60 700 Td (own text) Tj ET'
  const file = pdfFile([[]], { stream: { filter: '', bytes: Buffer.from(own) } }).toString('latin1')
  const changed = (one: string, other: string) => Buffer.from(file.replace(one, other), 'latin1')
  return [
    {
      name: 'an external stream of a PDF',
      type: 'pdf',
      bytes: changed('<< /Length', `<< /F (${target}) /FFilter /X /Length`),
    },
    {
      name: 'an action of a PDF',
      type: 'pdf',
      bytes: changed('/Type /Catalog', `/Type /Catalog /OpenAction << /S /Launch /F (${target}) /URI (${target}) >>`),
    },
    {
      name: 'a font of a PDF',
      type: 'pdf',
      bytes: changed('/WinAnsiEncoding', `/WinAnsiEncoding /ToUnicode (${target})`),
    },
    {
      name: 'a table of characters of a PDF',
      type: 'pdf',
      bytes: changed(
        '/Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding',
        `/Subtype /Type0 /BaseFont /A /Encoding /${target.replace(/\W/g, '-')} /DescendantFonts [3 0 R]`,
      ),
    },
  ]
}

function texts(target: string): LinkingDocument[] {
  const html = `<!doctype html [<!ENTITY e SYSTEM "${target}">]><base href="${target}"><link rel="import stylesheet" href="${target}"><p>own text &e;<img src="${target}" srcset="${target}"><iframe src="${target}"></iframe><object data="${target}"></object><script src="${target}"></script><video src="${target}" poster="${target}"></video><xi:include href="${target}"/>`
  return [
    { name: 'HTML', type: 'html', bytes: Buffer.from(html) },
    {
      name: 'Markdown',
      type: 'markdown',
      bytes: Buffer.from(`own text ![a](${target}) [b](${target}) <img src="${target}">`),
    },
    { name: 'CSV', type: 'csv', bytes: Buffer.from(`a\nown text\n"=WEBSERVICE(""${target}"")"\n`) },
  ]
}
