import { Readable } from 'node:stream'
import type { TenantScope } from '../../storage/scope.ts'
import type { User } from '../collections/collection.service.ts'
import type { Documents } from './document.service.ts'
import type { FileReceiver } from './receive-file.ts'

type NewFile = { filename: string; contentType: string; bytes: Buffer }

/** Adds files that came another way than by a route. */
export function fileAdder({ documents, files }: { documents: Pick<Documents, 'add'>; files: FileReceiver }) {
  /** Stores a file in the General collection. Refuses as the upload of a document does. */
  return async (
    scope: TenantScope,
    member: { user: User; orgId: string },
    { bytes, ...about }: NewFile,
  ): Promise<{ title: string; isDuplicate: boolean }> => {
    const file = await files.receive({ ...about, bytes: Readable.from([bytes]) })
    try {
      const { document, isDuplicate } = await documents.add(scope, member, { file })
      return { title: document.title, isDuplicate }
    } finally {
      await files.remove(file)
    }
  }
}
