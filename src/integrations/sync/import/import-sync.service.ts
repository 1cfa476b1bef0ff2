import type { Clock } from '../../../kernel/clock.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { ImportedDocuments } from '../../../knowledge/index.ts'
import { meetingTitle } from '../../../providers/calendars/calendar-event.ts'
import {
  type FileCall,
  type FileSource,
  type FoundFile,
  fileSources,
  type SourceFile,
} from '../../../providers/files/file-sources.ts'
import { ReadFailure } from '../../../providers/read-failure.ts'
import type { TenantScope } from '../../../storage/scope.ts'
import type { Integration } from '../../integrations/integration.rules.ts'
import type { CallApi } from '../../tokens/provider-calls.ts'
import { chooseFiles, type ImportedFile, keepDocument, leaseFile, releaseFile, saveFile } from './import.store.ts'

export type ImportDeps = { clock: Clock; callApi: CallApi; documents: ImportedDocuments }

type Keep = Parameters<ImportedDocuments['add']>[2]['keep']
type Owner = { user: { id: string }; orgId: string }
type Reading = { scope: TenantScope; integrationId: string; owner: Owner; collectionId: string | undefined }

/** Longer than one file takes. */
const leaseMs = 3 * 60_000
/** They are not tried again before the file changes. */
const lasting = ['UNSUPPORTED_MEDIA_TYPE', 'BODY_TOO_LARGE']

/** Makes documents of chosen files, and lets them follow. */
export function importSync({ clock, callApi, documents }: ImportDeps) {
  /** Throws GrantFailure, ProviderUnreachable and ReadFailure where the files cannot be read. */
  async function sync(scope: TenantScope, integration: Integration, signal: AbortSignal): Promise<void> {
    const { id: integrationId, orgId, connectedBy } = integration
    const { fileIds = [], collectionId } = integration.features.find(({ name }) => name === 'import')?.settings ?? {}
    await chooseFiles(scope, { integrationId, fileIds, now: clock.now() })
    if (orgId === null || fileIds.length === 0) return
    // Documents are added in somebody's name.
    if (connectedBy === null) throw new ReadFailure('OWNER_REMOVED')
    const call: FileCall = (toRequest, bytesMax) => callApi(scope, integrationId, toRequest, bytesMax)
    const reading = { scope, integrationId, owner: { user: { id: connectedBy }, orgId }, collectionId }
    const causes: string[] = []
    for (const fileId of fileIds) {
      if (signal.aborted) throw new ReadFailure('TIMED_OUT')
      const cause = await syncFile(reading, fileId, (id) => sourceOf(integration)(call, id))
      if (cause !== null) causes.push(cause)
    }
    if (causes[0] !== undefined) throw new ReadFailure(causes[0])
  }

  /** What keeps the file from being imported; null: nothing. */
  async function syncFile(
    reading: Reading,
    fileId: string,
    find: (fileId: string) => Promise<FoundFile | null>,
  ): Promise<string | null> {
    const { scope, integrationId } = reading
    const now = clock.now()
    const until = new Date(now.getTime() + leaseMs)
    const known = await leaseFile(scope, { integrationId, fileId, now, until })
    if (known === null) return null
    let next: ImportedFile = { ...known, checkedAt: now }
    try {
      next = await follow(reading, next, await find(fileId))
    } catch (error) {
      if (!(error instanceof Refusal)) {
        // The provider failed.
        await releaseFile(scope, { integrationId, fileId })
        throw error
      }
      next = { ...next, status: 'failed', cause: error.code }
    }
    await saveFile(scope, integrationId, next)
    return next.status === 'failed' ? next.cause : null
  }

  async function follow(reading: Reading, known: ImportedFile, found: FoundFile | null): Promise<ImportedFile> {
    if (found === null) return withdraw(reading, known)
    const isRefused = known.status === 'failed' && !lasting.includes(known.cause ?? '')
    // What somebody deleted here is not brought back.
    if (known.cause === 'DELETED_HERE') return known
    if (known.version === found.version && !isRefused && known.status !== 'removed') return settled(known)
    const file = await found.read()
    const title = meetingTitle(found.title)
    const seen = { ...known, title, version: found.version }
    if (file === null) return { ...seen, status: 'failed', cause: 'BODY_TOO_LARGE' }
    return { ...seen, ...(await put(reading, known, { title, version: found.version, file })) }
  }

  async function put(
    { scope, integrationId, owner, collectionId }: Reading,
    known: ImportedFile,
    { title, version, file }: { title: string; version: string; file: SourceFile },
  ): Promise<Partial<ImportedFile>> {
    const imported = { status: 'imported', cause: null, importedAt: clock.now() } as const
    try {
      if (known.documentId === null || !known.isOwn) {
        const keep: Keep = (tx, made) => keepDocument(tx, integrationId, { ...known, ...made, title, version })
        return { ...imported, ...(await documents.add(scope, owner, { title, collectionId, file, keep })) }
      }
      const target = { ...owner, id: known.documentId }
      const renamed = known.title === title ? null : title
      const isThere = await documents.change(scope, target, { title: renamed, file })
      const deleted = { documentId: null, isOwn: false, title: null }
      return isThere ? imported : { status: 'removed', cause: 'DELETED_HERE', ...deleted }
    } catch (error) {
      if (error instanceof Refusal) return { status: 'failed', cause: error.code }
      throw error
    }
  }

  /** The file is gone, or closed to the account: so is its document. */
  async function withdraw({ scope, owner }: Reading, known: ImportedFile): Promise<ImportedFile> {
    if (known.status === 'removed') return known
    if (known.documentId !== null && known.isOwn) await documents.remove(scope, { ...owner, id: known.documentId })
    const gone = { documentId: null, isOwn: false, title: null, version: null }
    return { ...known, ...gone, status: 'removed', cause: 'NOT_FOUND' }
  }

  return { sync }
}

/** Nothing has changed at the provider. */
function settled(known: ImportedFile): ImportedFile {
  return known.status === 'waiting' ? { ...known, status: 'imported' } : known
}

function sourceOf({ provider }: Integration): FileSource {
  if (provider === 'google' || provider === 'notion') return fileSources[provider]
  throw new Error(`${provider} has no files`)
}
