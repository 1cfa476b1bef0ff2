import type { CommandMail } from '../../email/index.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { MailAttachment } from '../../mime/parse-mail.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { CommandFiles } from '../command-files.ts'

type Member = { user: { id: string }; orgId: string }

/** A transcript that was read. */
export type ImportMeeting = (
  tx: TenantScope,
  user: { id: string },
  meeting: { orgId: string | null; title: string },
) => Promise<{ title: string; entryCount: number }>

export type FileDeps = {
  /** The entries of a file. Refuses VALIDATION_ERROR, MALFORMED_JSON and UNAVAILABLE. */
  readTranscript(file: { bytes: Buffer; format: 'vtt' | 'srt' | 'json' }): Promise<ImportMeeting>
  documents: {
    /** Stores a file in the General collection, once: the same bytes are answered with their document. Refuses as an upload does. */
    add: AddFile
    /** What `add` would answer or refuse. Stores nothing. */
    foresee: AddFile
  }
}

type AddFile = (
  scope: TenantScope,
  member: Member,
  file: { filename: string; contentType: string; bytes: Buffer },
) => Promise<{ isDuplicate: boolean }>

/** One file, and what has become of it. */
export type FileReport = { name: string; result: string; isDone: boolean }

type Run = (tx: TenantScope) => Promise<FileReport>

const nameMax = 200

export function fileService({ readTranscript, documents }: FileDeps) {
  /** What is to be done within a transaction. A JSON file that is no transcript is no command. */
  async function prepareTranscript(
    { orgId, userId, subject }: CommandMail,
    file: CommandFiles['transcripts'][number],
  ): Promise<Run | null> {
    const name = shown(file.name)
    try {
      const importMeeting = await readTranscript(file)
      return async (tx) => {
        const title = meetingTitle(subject, name)
        const { entryCount } = await importMeeting(tx, { id: userId }, { orgId, title })
        return { name, isDone: true, result: `is the transcript of the new meeting “${title}”, ${entryCount} entries` }
      }
    } catch (error) {
      const isOther = file.format === 'json' && error instanceof Refusal && error.code !== 'UNAVAILABLE'
      if (isOther) return null
      return async () => ({ name, isDone: false, result: reason(error) })
    }
  }

  /** Each by itself, outside of a transaction: bytes are stored beside the database. Can be done twice. */
  async function addDocuments(
    scope: TenantScope,
    { orgId, userId }: CommandMail,
    { files, isRehearsal }: { files: readonly MailAttachment[]; isRehearsal: boolean },
  ): Promise<FileReport[]> {
    const reports: FileReport[] = []
    for (const { filename, type, content } of files) reports.push(await add(shown(filename ?? 'file'), type, content))
    return reports

    async function add(name: string, contentType: string, content: Uint8Array): Promise<FileReport> {
      if (orgId === null) return { name, isDone: false, result: 'was not used: only organizations have documents' }
      try {
        const file = { filename: name, contentType, bytes: Buffer.from(content) }
        const addFile = isRehearsal ? documents.foresee : documents.add
        const { isDuplicate } = await addFile(scope, { user: { id: userId }, orgId }, file)
        return { name, isDone: true, result: isDuplicate ? 'is a document already' : 'is a document now' }
      } catch (error) {
        return { name, isDone: false, result: reason(error) }
      }
    }
  }

  return { prepareTranscript, addDocuments }
}

/** Throws what is no refusal, and what passes by itself: the job is tried again. */
function reason(error: unknown): string {
  if (!(error instanceof Refusal) || error.code === 'UNAVAILABLE') throw error
  return `was not used: ${error.message.slice(0, 500)}`
}

const shown = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, nameMax) || 'file'

/** By the subject, without what programs put before it, or else by the file. */
function meetingTitle(subject: string, name: string): string {
  const bare = subject.replace(/^(?:\s{0,5}(?:re|fwd?|aw|wg|tr|rv)\s{0,3}:){1,5}/i, '').trim()
  return (bare || name).slice(0, nameMax).toWellFormed().trim()
}
