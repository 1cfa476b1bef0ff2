import type { HandleMail, ReceivedMail } from '../../inbound/index.ts'
import type { CheckedMail } from '../../mime/authenticity.ts'
import type { Tokens } from '../../mime/mail-token.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { findByConnection, findByLocalPart } from '../configs/config.store.ts'
import type { StoreUnaddressed } from '../inbox/received-mail.service.ts'
import {
  onePerOwner,
  type PreparedMail,
  type Receiving,
  type Recipient,
  unchangedDigest,
} from '../receiving/receive.service.ts'
import { readRecipient } from '../receiving/recipient-name.ts'

type Deps = {
  platform: PlatformScope
  tokens: Tokens
  domain: string | null
  receiving: Pick<Receiving, 'prepare' | 'store'>
  storeUnaddressed: StoreUnaddressed
}

/** Mails that webhooks deliver go into threads like all others. Those to no address of ours are stored by themselves. */
export function webhookMailHandler({ platform, tokens, domain, receiving, storeUnaddressed }: Deps): HandleMail {
  async function recipientsOf(connectionId: string, to: readonly string[]): Promise<Recipient[]> {
    const recipients: Recipient[] = []
    for (const address of to) {
      const name = domain === null ? null : readRecipient(address, { domain, tokens })
      const found = name && (await findByLocalPart(platform, name.localPart))
      if (name !== null && found !== null) recipients.push({ ...name, ...found })
    }
    const owner = await findByConnection(platform, connectionId)
    return owner === null ? recipients : [...recipients, { ...owner, tag: null, replyToken: null, bounceToken: null }]
  }

  return async (received, content) => {
    const { connectionId } = received
    const recipients = await recipientsOf(connectionId, content.to)
    if (recipients.length === 0) return (tx) => storeUnaddressed(tx, received, content)
    const prepared = await prepare(receiving, content)
    return async (tx) => {
      // A connection delivers to its own tenant.
      const own = onePerOwner(recipients.filter(({ tenantId }) => tenantId === tx.tenantId))
      if (own.length === 0) return storeUnaddressed(tx, received, content)
      const effects = []
      for (const recipient of own) {
        const stored = await receiving.store(tx, recipient, prepared, connectionId)
        if (stored === null) continue
        const action = stored.isNew ? ('stored' as const) : ('unchanged' as const)
        effects.push({ kind: 'message' as const, action, targetId: stored.id, status: 'DONE' as const })
      }
      if (effects.length === 0) return { kind: 'ignored', reason: 'It was the mail of a verification.' }
      return { kind: 'processed', effects }
    }
  }
}

async function prepare(receiving: Deps['receiving'], content: ReceivedMail): Promise<PreparedMail> {
  const { raw, envelopeFrom: from, verdicts } = content
  if (raw?.type !== 'message/rfc822') return takenApart(content)
  const prepared = await receiving.prepare({ bytes: raw.bytes, envelope: { from, client: null } })
  const checked = withSpfOfProvider(prepared, content)
  // Our own results stand for the provider's of the same name.
  return { ...prepared, checked: { ...checked, verdicts: { ...verdicts, ...checked.verdicts } } }
}

/** We do not see who delivered the mail to the provider. Its SPF counts where the sender of the envelope is of the domain of From. */
function withSpfOfProvider({ checked, read: { mail } }: PreparedMail, content: ReceivedMail): CheckedMail {
  const [from, ...others] = mail?.from ?? []
  const isAligned =
    from !== undefined && others.length === 0 && domainOf(from.address) === domainOf(content.envelopeFrom ?? '')
  const isPass = content.verdicts['spf']?.toLowerCase() === 'pass'
  return checked.authenticity === 'fail' && checked.verdicts['dmarc'] === 'fail' && isAligned && isPass
    ? { ...checked, authenticity: 'pass' }
    : checked
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** A mail of which only what the provider says of it is there. */
async function takenApart({
  raw,
  envelopeFrom,
  verdicts,
  text,
  to,
  from,
  ...content
}: ReceivedMail): Promise<PreparedMail> {
  const { messageId, inReplyTo, references, subject } = content
  const mail = {
    ...{
      headers: [],
      messageId,
      inReplyTo,
      references,
      subject,
      text,
      attachments: [],
      cc: [],
      replyTo: [],
    },
    from: from === '' ? [] : [{ address: from, name: '' }],
    to: to.map((address) => ({ address, name: '' })),
  }
  return {
    ...{ raw, envelopeFrom, attachments: [] },
    read: { mail, cause: null, text },
    digest: await unchangedDigest(mail, raw?.bytes ?? Buffer.alloc(0)),
    checked: { authenticity: 'none', arcSealer: null, verdicts },
  }
}
