/** Beyond these a mail is not read. No mail of a person comes near. */
export const mailLimits = {
  partsMax: 200,
  depthMax: 20,
  attachmentsMax: 50,
  headerBytesMax: 256 * 1024,
  headersMax: 1000,
}

export type MailComplexity = 'TOO_MANY_PARTS' | 'TOO_DEEP' | 'TOO_MANY_ATTACHMENTS' | 'HEADERS_TOO_LARGE' | 'UNREADABLE'

/** A mail that is not read. */
export class MailTooComplex extends Error {
  override readonly cause: MailComplexity

  constructor(cause: MailComplexity) {
    super(`The mail is not read: ${cause}.`)
    this.name = 'MailTooComplex'
    this.cause = cause
  }
}
