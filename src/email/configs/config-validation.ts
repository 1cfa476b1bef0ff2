import type { FieldError } from '../../kernel/refusal.ts'
import { hostProblem } from '../../outgoing/target-address.ts'
import type { ConfigChange } from './config.schema.ts'
import type { Config } from './config.store.ts'
import { isReservedLocalPart } from './local-part.rules.ts'

const mailPorts = { transport: [25, 465, 587, 2465, 2525, 2587], inbound: [143, 993] }

type Circumstances = { allowPrivate: boolean; isOrganization: boolean }

/** What is wrong with a change, beside what the schema says. `after`: what would be stored. */
export function brokenFields(body: ConfigChange, after: Config, circumstances: Circumstances): FieldError[] {
  const errors = [
    ...serverErrors('transport', body, after, circumstances),
    ...serverErrors('inbound', body, after, circumstances),
  ]
  const { inbound, replies, identity } = body
  const localPart = inbound?.localPart
  if (localPart && isReservedLocalPart(localPart))
    errors.push({ path: '/body/inbound/localPart', code: 'reserved', message: 'is a name of the operator' })
  if (inbound?.kind === 'webhook' && after.settings.inbound?.connectionId === undefined)
    errors.push({ path: '/body/inbound/connectionId', code: 'required', message: 'is required for `webhook`' })
  if (identity?.fromAddress && !isAddress(identity.fromAddress))
    errors.push({ path: '/body/identity/fromAddress', code: 'format', message: 'must be an e-mail address' })
  if (!circumstances.isOrganization && replies?.approvers?.length)
    errors.push({ path: '/body/replies/approvers', code: 'unknown', message: 'can only be set for an organization' })
  return errors
}

function serverErrors(
  section: 'transport' | 'inbound',
  body: ConfigChange,
  { settings, ...stored }: Config,
  { allowPrivate }: Circumstances,
): FieldError[] {
  const server = settings[section]
  if (!body[section] || server === undefined) return []
  const at = (field: string, code: string, message: string) => ({ path: `/body/${section}/${field}`, code, message })
  const errors: FieldError[] = []
  // A mailbox without a server is that of the integration.
  const isByIntegration =
    server.kind === 'imap' && [server.host, server.port, server.security].every((it) => it === undefined)
  if ((server.kind === 'smtp' || server.kind === 'imap') && !isByIntegration) {
    const missing = (['host', 'port', 'security'] as const).filter((field) => server[field] === undefined)
    errors.push(...missing.map((field) => at(field, 'required', `is required for \`${server.kind}\``)))
  }
  if (allowPrivate) return errors
  const problem = server.host ? hostProblem(server.host, 'public') : null
  if (problem) errors.push(at('host', 'notPublic', problem))
  if (server.port && !mailPorts[section].includes(server.port))
    errors.push(at('port', 'enum', `must be one of ${mailPorts[section].join(', ')}`))
  if (server.security === 'none' && stored[`${section}Password`] !== null)
    errors.push(at('security', 'plain', 'must not be `none` with a password'))
  return errors
}

/** The addresses that mail servers take: no quoted names, no IP addresses. */
export function isAddress(text: string): boolean {
  return /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,10}[A-Za-z][A-Za-z0-9-]{1,62}$/.test(
    text,
  )
}
