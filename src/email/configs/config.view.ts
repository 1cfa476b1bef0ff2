import { isoOrNull } from '../../kernel/schemas.ts'
import type { ConfigAnswer } from './config.schema.ts'
import type { WatchedConfig } from './config.service.ts'
import { isFailing } from './mailbox-health.rules.ts'

export function configView(config: WatchedConfig): ConfigAnswer {
  const { mailbox, orgId, address, identity, transport, inbound, replies, commands, stored, transportPassword } = config
  return {
    orgId,
    address,
    identity,
    transport: { ...transport, hasPassword: transportPassword !== null },
    inbound: { ...inbound, localPart: stored.localPart, hasPassword: stored.inboundPassword !== null },
    replies,
    commands,
    own: Object.entries(stored.settings).flatMap(([section, fields]) =>
      Object.keys(fields ?? {}).map((field) => `${section}.${field}`),
    ),
    status: {
      sending: config.senderFrom.sending,
      receiving: mailbox !== null && isFailing(mailbox) ? 'failing' : stored.receiving,
      mailbox: mailbox && {
        cause: mailbox.cause,
        detail: mailbox.detail,
        readAt: isoOrNull(mailbox.lookedAt),
        nextReadAt: mailbox.nextLookAt.toISOString(),
      },
    },
    revision: stored.revision,
    updatedAt: isoOrNull(stored.updatedAt),
  }
}
