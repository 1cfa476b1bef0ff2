import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readRecipient } from '../../src/email/receiving/recipient-name.ts'
import { findThread } from '../../src/email/receiving/thread-lookup.service.ts'
import { newId } from '../../src/kernel/ids.ts'
import { type Tokens, tokensWith } from '../../src/mime/mail-token.ts'
import type { TenantScope } from '../../src/storage/scope.ts'

const domain = 'mail.example.org'
const letters = 'abcdefghijklmnopqrstuvwxyz234567'
const forgedByMail = 100

/** How many of so many forged tokens are taken, in an address or a Message-ID. Fails where one costs a look into the database. */
export async function takenOfForged(count: number, tokens: Tokens): Promise<number> {
  const scope = new Proxy({} as TenantScope, { get: () => assert.fail('The database was asked.') })
  const asked = { ownerId: newId(new Date()), sender: 'ana@example.com', replyToken: null, bounceToken: null }
  const random = () => [...randomBytes(26)].map((byte) => letters[byte & 31]).join('')
  const foreign = tokensWith(randomBytes(32))
  let taken = 0
  for (let done = 0; done < count; done += forgedByMail) {
    const forged = [foreign.write('reply', randomBytes(10)), ...Array.from({ length: forgedByMail - 1 }, random)]
    for (const token of forged) if (readRecipient(`team+${token}@${domain}`, { domain, tokens }) !== null) taken++
    const [inReplyTo = null, ...references] = forged.map((token) => `<${token}@${domain}>`)
    if ((await findThread(scope, tokens, { ...asked, inReplyTo, references })) !== null) taken++
  }
  return taken
}
