/** Services with an API that send bots of their own. */
export const vendors = ['recall', 'attendee', 'vexa'] as const
export type VendorName = (typeof vendors)[number]
