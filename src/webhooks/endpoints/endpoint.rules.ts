export type EndpointStatus = 'ACTIVE' | 'DISABLED'
/** GONE: it answered 410. FAILING: nothing but failures for days. */
export type DisabledReason = 'GONE' | 'FAILING'

export type Endpoint = {
  id: string
  url: string
  description: string | null
  /** Whole types, or beginnings such as `license.*`; empty: all. */
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

/** A tenant's endpoints: each event is a row a matching one. */
export const endpointsMax = 20
/** The old secret signs beside the new one for so long. */
export const overlapMs = 24 * 3600 * 1000

export function wants({ eventTypes }: Pick<Endpoint, 'eventTypes'>, type: string): boolean {
  return eventTypes.length === 0 || eventTypes.some((filter) => matches(filter, type))
}

function matches(filter: string, type: string): boolean {
  return filter.endsWith('.*') ? type.startsWith(filter.slice(0, -1)) : filter === type
}

/** The filters that no type matches. */
export function uselessFilters(filters: string[], types: readonly string[]): string[] {
  return filters.filter((filter) => !types.some((type) => matches(filter, type)))
}
