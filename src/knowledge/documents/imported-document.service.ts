import { Readable } from 'node:stream'
import { Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { AddedDocument, Documents } from './document.service.ts'
import type { FileReceiver } from './receive-file.ts'

type Owner = { user: { id: string }; orgId: string }
type ImportedFile = { filename: string; contentType: string; bytes: Buffer }

/** `isOwn`: false where the collection had the same bytes already, in a document of somebody. */
export type ImportedDocument = { documentId: string; isOwn: boolean }

type NewImport = {
  title: string
  collectionId: string | undefined
  file: ImportedFile
  keep(tx: TenantScope, document: ImportedDocument): Promise<void>
}

export type ImportedDocuments = ReturnType<typeof importedDocuments>

/** Documents that are made of files of other services, and follow them. */
export function importedDocuments({ documents, files }: { documents: Documents; files: FileReceiver }) {
  /**
   * `keep` runs in the transaction of the new document, so that nobody forgets what it was made of. Refuses as uploading a document
   * does: NOT_FOUND, INSUFFICIENT_ROLE, VALIDATION_ERROR, QUOTA_EXCEEDED and more.
   */
  const add = (scope: TenantScope, owner: Owner, { file, keep, ...about }: NewImport): Promise<ImportedDocument> =>
    received(file, async (draft) => {
      const onAdded = (tx: TenantScope, added: AddedDocument) => keep(tx, imported(added))
      return imported(await documents.add(scope, owner, { ...about, file: draft, onAdded }))
    })

  /** A new version. False: somebody has deleted the document. `title` null: it stays. Refuses as adding a version does. */
  const change = (
    scope: TenantScope,
    target: Owner & { id: string },
    { title, file }: { title: string | null; file: ImportedFile },
  ): Promise<boolean> =>
    received(file, (draft) =>
      ifThere(async () => {
        await documents.addVersion(scope, target, draft)
        if (title !== null) await documents.update(scope, target, { title })
      }),
    )

  /** Nothing happens where somebody has deleted it before. Refuses INSUFFICIENT_ROLE. */
  const remove = async (scope: TenantScope, target: Owner & { id: string }): Promise<void> =>
    void (await ifThere(() => documents.remove(scope, target)))

  async function received<T>(
    { filename, contentType, bytes }: ImportedFile,
    use: (draft: Awaited<ReturnType<FileReceiver['receive']>>) => Promise<T>,
  ): Promise<T> {
    const draft = await files.receive({ filename, contentType, bytes: Readable.from([bytes]) })
    try {
      return await use(draft)
    } finally {
      await files.remove(draft)
    }
  }

  return { add, change, remove }
}

const imported = ({ document, isDuplicate }: AddedDocument): ImportedDocument => ({
  documentId: document.id,
  isOwn: !isDuplicate,
})

async function ifThere(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code === 'NOT_FOUND') return false
    throw error
  }
}
