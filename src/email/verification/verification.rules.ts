import { createHash } from 'node:crypto'
import type { EffectiveConfig } from '../configs/config.service.ts'
import type { DnsRecord } from '../dkim/dns-record.ts'

export const stepNames = ['login', 'ownership', 'spf', 'dkim', 'dmarc', 'mx', 'roundTrip'] as const
export const stepResults = ['waiting', 'passed', 'failed'] as const
export const stepCauses = [
  'NO_TRANSPORT',
  'LOGIN_FAILED',
  'MAILBOX_FAILED',
  'DNS_FAILED',
  'NO_RECORD',
  'OTHER_RECORD',
  'SEVERAL_RECORDS',
  'NO_KEY',
  'NO_ADDRESS',
  'NOT_SENT',
  'NOT_ARRIVED',
  'SETTINGS_CHANGED',
] as const

export type Step = {
  name: (typeof stepNames)[number]
  result: (typeof stepResults)[number]
  cause: (typeof stepCauses)[number] | null
  /** For people. */
  detail: string | null
  /** What to publish. */
  record: DnsRecord | null
}

export const verificationStatuses = ['running', 'passed', 'failed'] as const

export type Verification = {
  id: string
  ownerId: string
  orgId: string | null
  status: (typeof verificationStatuses)[number]
  steps: Step[]
  /** Of the mail of the round trip. */
  token: Buffer
  /** Of the settings that are verified. */
  fingerprint: Buffer
  deadline: Date
  createdAt: Date
  endedAt: Date | null
}

export const roundTripMs = 120_000

export const passed = (name: Step['name'], more: Partial<Step> = {}): Step => ({
  ...{ name, result: 'passed', cause: null, detail: null, record: null },
  ...more,
})
export const failed = (name: Step['name'], cause: Step['cause'], more: Partial<Step> = {}): Step => ({
  ...{ name, result: 'failed', cause, detail: null, record: null },
  ...more,
})

/** A From domain of one's own has to be shown as one's own. Without one there is no such step. */
export function maySend(steps: readonly Step[]): boolean {
  return steps.every(({ name, result }) => (name !== 'login' && name !== 'ownership') || result === 'passed')
}

/** Puts the result of the round trip in its place. */
export function withRoundTrip(steps: readonly Step[], roundTrip: Step): Step[] {
  return [...steps.filter(({ name }) => name !== 'roundTrip'), roundTrip]
}

/** Equal as long as mails are sent and received in the same way. */
export function settingsFingerprint({ identity, transport, inbound, address, ...config }: EffectiveConfig): Buffer {
  const passwords = [config.transportPassword, config.stored.inboundPassword].map((it) => it?.toString('base64') ?? '')
  const text = JSON.stringify([identity.fromAddress, transport, inbound, address, passwords])
  return createHash('sha256').update(text).digest()
}

/**
 * What an owner publishes to show that a domain is theirs: another text for each owner and domain. It needs no secret, because
 * only who holds the domain can publish it.
 */
export function ownershipOf(
  { tenantId }: { tenantId: string },
  { ownerId, domain }: { ownerId: string; domain: string },
) {
  return createHash('sha256')
    .update(JSON.stringify([tenantId, ownerId, domain]))
    .digest('hex')
    .slice(0, 32)
}

const subjectOpening = 'Verification '

export const verificationSubject = (token: string): string => `${subjectOpening}${token}`

/** Servers on the way may change the Message-ID, but not the subject. */
export function tokenInSubject(subject: string): string | null {
  return /(?:^|\s)Verification ([a-z2-7]{26})\s{0,10}$/i.exec(subject.slice(-200))?.[1] ?? null
}
