/** A part of a document as a reader sees it. `level`: 1 to 6, of a heading. `page`: from 1, where the document has pages. */
export type TextBlock = {
  kind: 'heading' | 'paragraph' | 'list-item' | 'table-row'
  level: number | null
  page: number | null
  text: string
}
