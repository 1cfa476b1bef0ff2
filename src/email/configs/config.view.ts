import { isoOrNull } from '../../kernel/schemas.ts'
import type { ConfigAnswer } from './config.schema.ts'
import type { EffectiveConfig } from './config.service.ts'

export function configView(config: EffectiveConfig): ConfigAnswer {
  const { orgId, address, identity, transport, inbound, replies, commands, stored, transportPassword } = config
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
    status: { sending: config.senderFrom.sending, receiving: stored.receiving },
    revision: stored.revision,
    updatedAt: isoOrNull(stored.updatedAt),
  }
}
