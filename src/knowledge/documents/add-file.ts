import { Readable } from 'node:stream'
import type { TenantScope } from '../../storage/scope.ts'
import type { User } from '../collections/collection.service.ts'
import type { AddedDocument, Documents } from './document.service.ts'
import type { FileReceiver, ReceivedFile } from './receive-file.ts'

type NewFile = { filename: string; contentType: string; bytes: Buffer }
type Member = { user: User; orgId: string }
type AddedFile = { title: string; isDuplicate: boolean }

/** Adds files that came another way than by a route. */
export function fileAdder({
  documents,
  files,
}: {
  documents: Pick<Documents, 'add' | 'foresee'>
  files: FileReceiver
}) {
  async function received(
    { bytes, ...about }: NewFile,
    work: (file: ReceivedFile) => Promise<AddedDocument>,
  ): Promise<AddedFile> {
    const file = await files.receive({ ...about, bytes: Readable.from([bytes]) })
    try {
      const { document, isDuplicate } = await work(file)
      return { title: document.title, isDuplicate }
    } finally {
      await files.remove(file)
    }
  }

  return {
    /** Stores a file in the General collection. Refuses as the upload of a document does. */
    add: (scope: TenantScope, member: Member, file: NewFile) =>
      received(file, (received) => documents.add(scope, member, { file: received })),
    /** What `add` would answer or refuse. Stores nothing. */
    foresee: (scope: TenantScope, member: Member, file: NewFile) =>
      received(file, (received) => documents.foresee(scope, member, received)),
  }
}
