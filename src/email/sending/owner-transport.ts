import type { SmtpSettings } from '../../outgoing/smtp-connection.ts'
import type { AllowedHosts } from '../../outgoing/target-address.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Configs, EffectiveConfig } from '../configs/config.service.ts'
import { type MailTransport, platformTransport, tenantTransport } from './transport.ts'

/** Why a mail is not sent now. */
export class NotSendable extends Error {}

type Deps = {
  configs: Pick<Configs, 'openPassword'>
  /** The mail server of the installation; null: there is none. */
  smtp: SmtpSettings | null
  allowedHosts: AllowedHosts
}

/** The server that sends an owner's mails. Throws NotSendable. */
export function ownerTransport(scope: TenantScope, config: EffectiveConfig, deps: Deps): MailTransport {
  const { transport, transportFrom } = config
  if (transport.kind === 'smtp') {
    const { host, port, security, userName } = transport
    if (host === null || port === null || security === null) throw new NotSendable('The mail server is not set.')
    const pass = deps.configs.openPassword(scope, 'transport', transportFrom)
    const login = userName === null || pass === null ? null : { user: userName, pass }
    return tenantTransport({ host, port, security, login }, deps.allowedHosts)
  }
  if (transport.kind !== 'platform') throw new NotSendable(`The transport is ${transport.kind}.`)
  if (deps.smtp === null) throw new NotSendable('The installation has no mail server.')
  return platformTransport(deps.smtp)
}
