/** What is counted of a tenant by day and product. */
export const usageFields = [
  'apiCalls',
  'validations',
  'connections',
  'connectionSeconds',
  'bytesUp',
  'bytesDown',
  'activeDevices',
  'activeUsers',
] as const
export type UsageField = (typeof usageFields)[number]

/** What is added to as it happens; the active are counted where they are written down. */
export type CountedField = 'apiCalls' | 'validations' | 'connections' | 'connectionSeconds' | 'bytesUp' | 'bytesDown'

/** `product` is empty for what is of no single product. */
export type UsagePlace = { tenantId: string; day: string; product: string }
export type UsageAddition = UsagePlace & Record<CountedField, number>

export type ActiveKind = 'DEVICE' | 'USER'
export type Active = UsagePlace & { kind: ActiveKind; id: string }
