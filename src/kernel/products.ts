/** The products whose own routes ask an API key for them; the catalog holds these and any others. */
export const productSlugs = { vpn: 'vault-vpn', assistant: 'assistant-ai', editing: 'editing-sdk' } as const

export type ProductSlug = (typeof productSlugs)[keyof typeof productSlugs]
