import { readFile } from 'node:fs/promises'
import { detectType, mimeTypes } from '../../extraction/document-type.ts'
import { displayName, safeFileName } from '../../http/uploads/file-name.rules.ts'
import type { IncomingFile, Upload } from '../../http/uploads/upload.ts'
import { concurrencyLimit } from '../../kernel/concurrency-limit.ts'
import { invalidField, Refusal } from '../../kernel/refusal.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import type { Draft } from '../../storage/blobs/drafts.ts'
import { fileBytesMax, type VersionFile } from './document.rules.ts'

/** A file on the disk of this node, and what it is. The receiver removes its draft. */
export type ReceivedFile = VersionFile & { draft: Draft }

export type FileReceiver = ReturnType<typeof fileReceiver>

/** What a ZIP contains is written at its end, so its type is seen from the whole file. Each takes up to 25 MiB of memory. */
const detectedAtOnce = 2
const waitingMax = 500

export function fileReceiver({ blobs }: { blobs: Blobs }) {
  const detecting = concurrencyLimit(detectedAtOnce, waitingMax)

  /** Refuses BODY_TOO_LARGE, VALIDATION_ERROR for an empty file, and UNSUPPORTED_MEDIA_TYPE. */
  async function receive({ filename, contentType, bytes }: IncomingFile): Promise<ReceivedFile> {
    const draft = await blobs.drafts.write(limited(bytes as AsyncIterable<Buffer>))
    try {
      const name = displayName(filename)
      const detected = await detecting(async () =>
        detectType(await readFile(draft.path), { filename: name, mimeType: contentType }),
      )
      if (detected === null)
        throw new Refusal('UNSUPPORTED_MEDIA_TYPE', {
          detail:
            'The file has a type that is not read. Read are PDF, DOCX, PPTX, HTML, Markdown, text, VTT, SRT and CSV.',
        })
      const { size, sha256 } = draft
      return { draft, filename: name, type: detected, mimeType: mimeTypes[detected], size, sha256 }
    } catch (error) {
      await blobs.drafts.remove(draft)
      throw error
    }
  }

  /** A text that was sent as JSON. */
  async function receiveText({
    title,
    text,
    format,
  }: {
    title: string
    text: string
    format: 'markdown' | 'text'
  }): Promise<ReceivedFile> {
    const draft = await blobs.drafts.write(limited([Buffer.from(text)]))
    const filename = safeFileName(`${title}.`, format === 'markdown' ? 'md' : 'txt')
    const { size, sha256 } = draft
    return { draft, filename, type: format, mimeType: mimeTypes[format], size, sha256 }
  }

  return { receive, receiveText, remove: (file: ReceivedFile) => blobs.drafts.remove(file.draft) }
}

/** Passes the bytes on, and enforces the size. */
async function* limited(bytes: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > fileBytesMax)
      throw new Refusal('BODY_TOO_LARGE', { detail: `A document may have ${fileBytesMax / 1024 / 1024} MiB.` })
    yield chunk
  }
  if (size === 0) throw invalidField('/body/file', { code: 'empty', message: 'is empty' })
}

type Sent<F> = {
  upload: Upload<F> | undefined
  body: { title: string; text: string; format?: 'markdown' | 'text' } | undefined
}
type TextsOf<B> = Omit<B, 'text' | 'format'>

/** The file of a request, with what it says of it: of a form, or of a text that was sent as JSON. */
export async function receivedFile<F extends object, B extends NonNullable<Sent<F>['body']>>(
  files: FileReceiver,
  { upload, body }: { upload: Upload<F> | undefined; body: B | undefined },
): Promise<{ file: ReceivedFile; fields: F | TextsOf<B> }> {
  if (body !== undefined) {
    const { text, format = 'markdown', ...fields } = body
    return { file: await files.receiveText({ title: body.title, text, format }), fields }
  }
  if (upload === undefined) throw invalidField('/body', { code: 'required', message: 'is required' })
  const received: ReceivedFile[] = []
  try {
    const { fields } = await upload.receive(async (file) => void received.push(await files.receive(file)))
    const [file] = received
    if (file === undefined) throw invalidField('/body/file', { code: 'required', message: 'is required' })
    return { file, fields }
  } catch (error) {
    for (const file of received) await files.remove(file)
    throw error
  }
}
