import type { TObject } from 'typebox'
import type { UploadForm } from '../../http/uploads/upload.ts'
import { fileBytesMax } from './document.rules.ts'

/** A text that is sent as JSON. */
export const jsonBytesMax = 6 * 1024 * 1024

/** The form of one file with some text fields. */
export function fileForm<F extends TObject>(fields: F): UploadForm<F> {
  return {
    fileFields: ['file'],
    fields,
    filesMax: 1,
    fieldsMax: 30,
    fieldBytesMax: 4 * 1024,
    // The file, the fields and the lines between them.
    bytesMax: fileBytesMax + 256 * 1024,
  }
}
