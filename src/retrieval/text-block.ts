/**
 * A part of a document as a reader sees it. `level`: 1 to 6, of a heading. `page`: from 1, where the document has pages.
 * `joint`: the next block is the same paragraph on the next page, and this stands between them in place of an empty line.
 */
export type TextBlock = {
  kind: 'heading' | 'paragraph' | 'list-item' | 'table-row'
  level: number | null
  page: number | null
  text: string
  joint?: '' | ' '
}
