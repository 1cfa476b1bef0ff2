/** Counted for each tenant by day and product. */
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

/** Added as it happens. Active devices and users are counted where they are stored. */
export type CountedField = 'apiCalls' | 'validations' | 'connections' | 'connectionSeconds' | 'bytesUp' | 'bytesDown'

/** `product` is empty where the usage belongs to no single product. */
export type UsageKey = { tenantId: string; day: string; product: string }
export type UsageAddition = UsageKey & Record<CountedField, number>

export type ActiveKind = 'DEVICE' | 'USER'
export type Active = UsageKey & { kind: ActiveKind; id: string }
