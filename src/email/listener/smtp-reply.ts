/** A refusal of the SMTP conversation. `message` begins with the enhanced status code (RFC 3463). */
export class SmtpReply extends Error {
  readonly responseCode: number

  constructor(responseCode: number, message: string) {
    super(message)
    this.responseCode = responseCode
  }
}
