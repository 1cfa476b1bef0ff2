import type { MailAttachment } from './parse-mail.ts'

/** A file of a mail, without its bytes. */
export type AttachmentNote = { filename: string | null; type: string; sizeBytes: number }

/** Formats that no bytes tell: what the mail says is believed of them. */
const textTypes =
  /^(?:text\/(?:plain|vtt|csv|html|markdown|calendar|x-subrip|rfc822-headers)|application\/(?:json|x-subrip|ics)|message\/[a-z0-9-]{1,40})$/

/** The files of a mail, with the types of their bytes. */
export async function describeAttachments(attachments: MailAttachment[]): Promise<AttachmentNote[]> {
  if (attachments.length === 0) return []
  const { fileTypeFromBuffer } = await import('file-type')
  return Promise.all(
    attachments.map(async ({ filename, type, content }) => {
      const sniffed = await fileTypeFromBuffer(content).catch(() => undefined)
      return {
        filename: filename?.replaceAll('\0', '').toWellFormed().slice(0, 255) ?? null,
        type: sniffed?.mime ?? (textTypes.test(type) ? type : 'application/octet-stream'),
        sizeBytes: content.byteLength,
      }
    }),
  )
}
