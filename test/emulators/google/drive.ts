import { randomUUID } from 'node:crypto'
import { type Call, jsonOf, ok, type Reply, type Routes } from '../call.ts'
import type { Controls, World } from '../emulator.ts'
import { searchIndex } from '../lag.ts'
import { pageOf, pageSize } from '../paging.ts'
import type { secured } from '../secured.ts'
import { googleError } from './google-error.ts'
import { readMultipart } from './multipart.ts'

type DriveFile = {
  id: string
  name: string
  mimeType: string
  parents: string[]
  appProperties: Record<string, string>
  content: Buffer
  contentType: string
  isTrashed: boolean
  createdAt: Date
  modifiedAt: Date
  version: number
}

const documentType = 'application/vnd.google-apps.document'
const missing = googleError(404, 'notFound', 'File not found')

/**
 * https://developers.google.com/workspace/drive/api/reference/rest/v3. A file may be created with an id that Google generated, but not
 * where it becomes a Google document. Those are found again by their `appProperties`.
 */
export function googleDrive(world: World, api: ReturnType<typeof secured>): { routes: Routes; controls: Controls } {
  const files = new Map<string, DriveFile>()
  const changes: { id: number; fileId: string }[] = []
  const generated = new Set<string>()
  const index = searchIndex(world.clock, 5)
  const scope = (name: string) => `https://www.googleapis.com/auth/${name}`
  const reading = [scope('drive.readonly'), scope('drive.file'), scope('drive')]
  const writing = [scope('drive.file'), scope('drive')]

  function put(file: DriveFile): DriveFile {
    files.set(file.id, file)
    changes.push({ id: world.next(), fileId: file.id })
    return file
  }

  function create(metadata: Record<string, unknown>, content: Buffer, contentType: string): DriveFile {
    const now = world.clock.now()
    return put({
      id: typeof metadata['id'] === 'string' ? metadata['id'] : `1${randomUUID().replaceAll('-', '')}`,
      name: String(metadata['name'] ?? 'Untitled'),
      mimeType: String(metadata['mimeType'] ?? contentType),
      parents: (metadata['parents'] as string[] | undefined) ?? ['root'],
      appProperties: (metadata['appProperties'] as Record<string, string> | undefined) ?? {},
      content,
      contentType,
      isTrashed: false,
      createdAt: now,
      modifiedAt: now,
      version: 1,
    })
  }

  function change(
    file: DriveFile,
    metadata: Record<string, unknown>,
    content?: Buffer,
    contentType?: string,
  ): DriveFile {
    if (typeof metadata['name'] === 'string') file.name = metadata['name']
    Object.assign(file.appProperties, metadata['appProperties'])
    if (typeof metadata['trashed'] === 'boolean') file.isTrashed = metadata['trashed']
    if (content !== undefined) Object.assign(file, { content, contentType })
    file.modifiedAt = world.clock.now()
    file.version += 1
    return put(file)
  }

  const ofFile = (scopes: string[], handle: (file: DriveFile, call: Call) => Reply) =>
    api(scopes, (call) => {
      const file = files.get(call.params['id'] ?? '')
      return file === undefined ? missing : handle(file, call)
    })

  function upload(call: Call): { metadata: Record<string, unknown>; content: Buffer; contentType: string } | null {
    const type = call.headers['content-type'] ?? ''
    if (call.query.get('uploadType') === 'media') return { metadata: {}, content: call.bytes, contentType: type }
    const parts = readMultipart(call.bytes, type)
    const [first, second] = parts
    if (first === undefined || second === undefined) return null
    return { metadata: JSON.parse(first.body.toString()), content: second.body, contentType: second.contentType }
  }

  const drive = 'www.googleapis.com/drive/v3'
  return {
    routes: {
      [`GET ${drive}/files/generateIds`]: api(writing, ({ query }) => {
        const ids = Array.from(
          { length: Number(query.get('count') ?? 10) },
          () => `1${randomUUID().replaceAll('-', '')}`,
        )
        for (const id of ids) generated.add(id)
        return ok({ kind: 'drive#generatedIds', space: 'drive', ids })
      }),
      [`GET ${drive}/files`]: api(reading, ({ query }) => {
        const tests = clausesOf(query.get('q') ?? '')
        if (tests === null) return googleError(400, 'invalid', 'Invalid Value')
        const found = [...files.values()].filter(
          (file) => index.isIndexed(file.createdAt) && tests.every((matches) => matches(file)),
        )
        const { page, next } = pageOf(
          found,
          query.get('pageToken'),
          pageSize(query.get('pageSize'), { usual: 100, max: 1000 }),
        )
        return ok({ kind: 'drive#fileList', files: page.map(shown), ...(next !== null && { nextPageToken: next }) })
      }),
      [`POST ${drive}/files`]: api(writing, (call) =>
        ok(shown(create(jsonOf(call), Buffer.alloc(0), 'application/octet-stream'))),
      ),
      [`GET ${drive}/files/:id`]: ofFile(reading, (file, { query }) =>
        query.get('alt') === 'media'
          ? file.mimeType === documentType
            ? googleError(
                403,
                'fileNotDownloadable',
                'Only files with binary content can be downloaded. Use Export with Docs Editors files.',
              )
            : { status: 200, headers: { 'content-type': file.contentType }, body: file.content }
          : ok(shown(file)),
      ),
      [`GET ${drive}/files/:id/export`]: ofFile(reading, (file, { query }) => {
        if (file.mimeType !== documentType)
          return googleError(403, 'fileNotExportable', 'Export only supports Docs Editors files.')
        return { status: 200, headers: { 'content-type': query.get('mimeType') ?? 'text/plain' }, body: file.content }
      }),
      [`PATCH ${drive}/files/:id`]: ofFile(writing, (file, call) => ok(shown(change(file, jsonOf(call))))),
      [`DELETE ${drive}/files/:id`]: ofFile(writing, (file) => {
        files.delete(file.id)
        changes.push({ id: world.next(), fileId: file.id })
        return { status: 204 }
      }),
      'POST www.googleapis.com/upload/drive/v3/files': api(writing, (call) => {
        const sent = upload(call)
        if (sent === null) return googleError(400, 'badRequest', 'Malformed multipart body.')
        const { id, mimeType } = sent.metadata
        const isConverted = mimeType === documentType
        if (id !== undefined && (isConverted || !generated.has(String(id))))
          return googleError(400, 'invalid', 'The provided file ID is not usable.')
        if (files.has(String(id))) return googleError(409, 'fileIdInUse', 'A file already exists with the provided ID.')
        return ok(shown(create(sent.metadata, sent.content, sent.contentType)))
      }),
      'PATCH www.googleapis.com/upload/drive/v3/files/:id': ofFile(writing, (file, call) => {
        const sent = upload(call)
        if (sent === null) return googleError(400, 'badRequest', 'Malformed multipart body.')
        return ok(shown(change(file, sent.metadata, sent.content, sent.contentType)))
      }),
      [`GET ${drive}/changes/startPageToken`]: api(reading, () => ok({ startPageToken: String(changes.length) })),
      [`GET ${drive}/changes`]: api(reading, ({ query }) => {
        const start = Number(query.get('pageToken') ?? 0)
        const seen = changes.slice(start).map(({ fileId }) => {
          const file = files.get(fileId)
          return { changeType: 'file', fileId, removed: file === undefined, ...(file && { file: shown(file) }) }
        })
        return ok({ kind: 'drive#changeList', changes: seen, newStartPageToken: String(changes.length) })
      }),
    },
    controls: {
      files: () => [...files.values()].map((file) => ({ ...shown(file), content: file.content.toString() })),
      /** A person writes a document: `{name, text, mimeType}`. */
      createFile: ({ name, text, mimeType = documentType }) =>
        shown(
          create(
            { name, mimeType },
            Buffer.from(String(text ?? '')),
            mimeType === documentType ? 'text/plain' : String(mimeType),
          ),
        ),
      /** A person changes one: `{id, name, text, trashed}`. */
      editFile: ({ id, text, ...metadata }) => {
        const file = files.get(String(id))
        if (file === undefined) throw new Error('there is no such file')
        return shown(
          change(file, metadata, text === undefined ? undefined : Buffer.from(String(text)), file.contentType),
        )
      },
      setSearchLag: ({ seconds }) => {
        index.lagSeconds = Number(seconds)
      },
    },
  }
}

/** The clauses that an integration asks with, joined by `and`; null for others. */
function clausesOf(query: string): ((file: DriveFile) => boolean)[] | null {
  const clauses = query.split(/ and (?=(?:[^']*'[^']*')*[^']*$)(?![^{]*\})/).filter((it) => it.trim() !== '')
  const tests = clauses.map((clause) => {
    const text = clause.trim()
    const property = /^appProperties has \{\s*key='([^']*)' and value='([^']*)'\s*\}$/.exec(text)
    if (property !== null) return (file: DriveFile) => file.appProperties[property[1] ?? ''] === property[2]
    const trashed = /^trashed\s*=\s*(true|false)$/.exec(text)
    if (trashed !== null) return (file: DriveFile) => String(file.isTrashed) === trashed[1]
    const named = /^(name|mimeType)\s*(=|contains)\s*'([^']*)'$/.exec(text)
    if (named !== null)
      return (file: DriveFile) => {
        const held = file[named[1] as 'name' | 'mimeType']
        return named[2] === '=' ? held === named[3] : held.includes(named[3] ?? '')
      }
    const parent = /^'([^']*)' in parents$/.exec(text)
    return parent === null ? null : (file: DriveFile) => file.parents.includes(parent[1] ?? '')
  })
  return tests.includes(null) ? null : tests.filter((it) => it !== null)
}

function shown(file: DriveFile) {
  return {
    kind: 'drive#file',
    id: file.id,
    name: file.name,
    mimeType: file.mimeType,
    parents: file.parents,
    appProperties: file.appProperties,
    trashed: file.isTrashed,
    version: String(file.version),
    size: String(file.content.length),
    createdTime: file.createdAt.toISOString(),
    modifiedTime: file.modifiedAt.toISOString(),
    webViewLink: `https://docs.google.com/document/d/${file.id}/edit`,
  }
}
