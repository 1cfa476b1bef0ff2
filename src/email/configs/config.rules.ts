/** Whose address it is: an organization's, or the tenant's own. */
export type Owner = { ownerId: string; orgId: string | null }
