import { matchesType } from './event-filter.rules.ts'

export type EndpointStatus = 'ACTIVE' | 'DISABLED'
/** GONE: it answered 410. FAILING: every attempt failed for days. */
export type DisabledReason = 'GONE' | 'FAILING'

export type Endpoint = {
  id: string
  url: string
  description: string | null
  /** Event types, or prefixes such as `license.*`. Empty: all. */
  eventTypes: string[]
  ratePerMinute: number | null
  status: EndpointStatus
  disabledReason: DisabledReason | null
  disabledAt: Date | null
  failingSince: Date | null
  previousSecretUntil: Date | null
  createdAt: Date
  updatedAt: Date
}

/** Bounds the work of an event: it writes one row for each matching endpoint. */
export const endpointsMax = 20
/** How long the old secret signs as well after a rotation. */
export const secretOverlapMs = 24 * 3600 * 1000

export function acceptsEvent({ eventTypes }: Pick<Endpoint, 'eventTypes'>, type: string): boolean {
  return eventTypes.length === 0 || eventTypes.some((filter) => matchesType(filter, type))
}

/** Labels of a host name that are this long may be a token, as with services that give each receiver a name. */
const tokenLettersMin = 12

/** What shows where a receiver is without the parts of its URL that may be a token. */
export function urlHint(url: string): string {
  const { protocol, hostname, port } = new URL(url)
  const labels = hostname.split('.')
  const shown = labels.map((label, index) =>
    label.length >= tokenLettersMin && index < labels.length - 2 ? '…' : label,
  )
  return `${protocol}//${shown.join('.')}${port === '' ? '' : `:${port}`}`
}
